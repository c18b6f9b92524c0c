void k(int32_t *a, int32_t *b) {
  int s = 0, far = 1;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 1; j++) s += a[i + j];
    if (a[i] > 0) far = far * 2 + i; else far = far - 3;
    for (int j = 0; j < 0; j++) s = 99;
    int t = i;
    do { s ^= far << t; t++; } while (t < 3);
    if (i == 1) b[i + 8] = s; else b[i + 4] = far / 2;
  }
  b[0] = s; b[1] = far;
}
