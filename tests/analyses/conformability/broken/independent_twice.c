// YYNY N
void f(int out[restrict 15], const int a[restrict 8]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      out[i + j] += a[i] *
                    a[j];  // R3: independent both
}
