void f(int a[restrict 64]) {
  for (int i = 0; i < 62; i++)
    a[i + 2] = a[i];
}
