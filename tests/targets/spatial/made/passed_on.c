void f(int o[restrict 9], const int a[restrict 9][4]) {
  int sum = 0;
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 4; j++) sum += a[i][j];
    o[i] = sum;
  }
}
