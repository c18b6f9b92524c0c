// NYYY N
void f(int a[restrict 8][4], int b[restrict 8][5], const int in[restrict 8]) {
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 4; j++) a[i][j] = in[i];
    for (int k = 0; k < 5; k++) b[i][k] = in[i];  // R1: a second nest
  }
}
