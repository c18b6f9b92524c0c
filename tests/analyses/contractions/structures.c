typedef struct { int16_t *data; int width; } tensor;
struct filter { int16_t taps[3][3]; int shift; };
void conv(const tensor *I, const struct filter *restrict W, tensor *restrict O) {
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < O->width; x++) {
      int acc = 0;
      for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++)
          acc += I->data[(y + s) * I->width + x + r] * (*W).taps[s][r];
      O->data[y * O->width + x] = acc >> W->shift;
    }
}
