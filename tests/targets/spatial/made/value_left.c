void f(int o[restrict 9], int p[restrict 9], const int a[restrict 9]) {
  for (int i = 1; i < 9; i++) {
    o[i] = p[i - 1];
    for (int j = 0; j < 4; j++) p[i] += a[j] * o[i];
  }
}
