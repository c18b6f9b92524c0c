// NYYY N
void f(int out[restrict 8], const int in[restrict 8][9]) {
  for (int i = 0; i < 8; i++) {
    out[i] = 0;  // R1: not in the innermost loop
    for (int j = 0; j < 9; j++) out[i] += in[i][j];
  }
}
