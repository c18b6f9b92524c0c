// names for elements, offsets, a parameter for the size
void conv(const int16_t (*I)[40], const int16_t W[3][3], int16_t O[8][32], int w) {
  for (int y = 1; y <= 8; y++)
    for (int x = 1; x <= w; x++) {
      int acc = 0;
      for (int s = -1; s <= 1; s++)
        for (int r = -1; r <= 1; r++) {
          const int at = x + r;
          int16_t tap = W[s + 1][r + 1], pixel = I[y + s][at];
          acc += tap * pixel;
        }
      acc >>= 4;
      acc >>= 6;
      O[y - 1][x - 1] = acc;
    }
}
