// flat, row pointers, sums of a row, loops that run down
void conv(const short *restrict I, const short *restrict W, short *O) {
  int x, s;
  for (int y = 7; y >= 0; --y) {
    int sums[32];
    short *to = O + y * 32;
    for (x = 0; x < 32; x++) sums[x] = 0;
    for (s = 0; s < 3; s++) {
      const short *row = &I[(y + s) * 40];
      for (x = 0; x < 32; ++x)
        for (int r = 2; r >= 0; r--)
          *(sums + x) += row[x + r] * *(W + s * 3 + r);
    }
    for (x = 0; x < 32; x++) to[x] = sums[x] >> 10;
  }
}
