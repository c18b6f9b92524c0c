// a factor is an element of row
void f(float a[8][16], float w[4], float b[8]) {
  for (int i = 0; i < 8; i++) { float s = 0; for (int r = 0; r < 4; r++) { float row = 0;
    for (int c = 0; c < 4; c++) row += a[i][r + c] * w[c]; s += row; } b[i] = s; } }
