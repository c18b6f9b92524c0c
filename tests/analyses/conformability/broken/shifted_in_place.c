// YNYY N
void f(int a[restrict 64]) {
  for (int i = 0; i < 63; i++)
    a[i] = a[i + 1];  // R2: anti dependence through 'a'
}
