// channels, kernels and a third dimension
void f(int16_t C[3][2][4][8], const int16_t A[2][4][6][10], const int16_t B[3][2][3][3][3]) {
  for (int k = 0; k < 3; k++) for (int z = 0; z < 2; z++) for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++) {
      int acc = 0;
      for (int c = 0; c < 2; c++) for (int t = 0; t < 3; t++) for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) acc += A[c][z + t][y + s][x + r] * B[k][c][t][s][r];
      C[k][z][y][x] = acc >> 3; } }
