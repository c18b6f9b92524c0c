// three nests over all
void conv(int16_t I[10][40], int16_t W[3][3], int16_t O[8][32]) {
  int32_t acc[8][32];
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) acc[y][x] = 0;
  for (int s = 0; s < 3; s++) for (int y = 0; y < 8; y++)
    for (int r = 0; r < 3; r++) for (int x = 0; x < 32; x++)
      acc[y][x] += I[y + s][x + r] * W[s][r];
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) O[y][x] = acc[y][x] >> 10;
}
