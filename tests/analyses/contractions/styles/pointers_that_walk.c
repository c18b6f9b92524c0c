// pointers that walk
void f(const int16_t *in, const int16_t *w, int16_t *out) {
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 32; x++) {
      const int16_t *p = in + y * 48 + x, *q = w;
      int acc = 0;
      for (int s = 0; s < 3; s++) {
        for (int r = 0; r < 3; r++) acc += *p++ * *q++;
        p += 48 - 3;
      }
      *out++ = acc >> 10;
    }
}
