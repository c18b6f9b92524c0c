// each channel for itself
void f(int16_t C[4][16], const int16_t A[4][20], const int16_t B[4][5]) {
  for (int x = 0; x < 16; x++) for (int k = 0; k < 4; k++) {
    C[k][x] = 0;
    for (int r = 0; r < 5; r++) C[k][x] += (int16_t)(A[k][x + r] * B[k][r]); } }
