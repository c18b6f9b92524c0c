void f(int *restrict o, int *restrict a, int *restrict w) {
  for (int y = 0; y < 5; y++) for (int x = 0; x < 6; x++)
    for (int r = 0; r < 3; r++) for (int s = 0; s < 2; s++)
      o[y * 6 + x] += a[(y + r) * 7 + x + s] * w[r * 2 + s];
}
