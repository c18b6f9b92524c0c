void filter(short out[restrict 24][48], const short in[restrict 26][56],
            const short taps[restrict 3][3]) {
  for (int y = 0; y < 24; y++)
    for (int x = 1; x < 48; x += 2) {
      int sum = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) sum += taps[s][r] * in[y + s][x + r];
      out[y][x] = (short)(sum >> 6);
    }
}
void product(int out[restrict 24][48], const int a[restrict 24][56], const int b[restrict 56][48]) {
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 48; x++) {
      int sum = 3;
      for (int k = 0; k < 56; k++) {
        sum += a[y][k] * b[k][x];
      }
      out[y][x] = sum;
    }
}
void downwards(int out[restrict 24], const int a[restrict 24][56], const int b[restrict 56]) {
  unsigned y;
  long k;
  for (y = 0; y < 24; y++)
    for (k = 55; k >= 0; --k) out[y] += a[y][k] * b[k];
}
void vector(int out[restrict 24], const int a[restrict 24][56], const int b[restrict 56]) {
  for (int y = 0; y < 24; y++) {
    out[y] = 0;
    for (int k = 0; k < 56; k++)
      out[y] += a[y][k] * b[k];
  }
}
void flipped(int out[restrict 32], const int in[restrict 36], const int w[restrict 5]) {
  for (int x = 0; x < 32; x++)
    for (int r = 0; r < 5; r++) out[x] += in[x + r] * w[4 - r];
}
void spread(int out[restrict 24], const int a[restrict 24][56], const int b[restrict 56]) {
  for (int i = 1; i < 13; i++)
    for (int k = 0; k < 56; k++) out[2 * i - 1] += a[2 * i - 1][k] * b[k];
}
void pool(short out[restrict 12][27], const short in[restrict 26][56]) {
  for (int y = 0; y < 12; y++)
    for (int x = 0; x < 27; x++) {
      short most = in[2 * y][2 * x];
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
          if (in[2 * y + r][2 * x + s] > most) most = in[2 * y + r][2 * x + s];
      out[y][x] = most;
    }
}
