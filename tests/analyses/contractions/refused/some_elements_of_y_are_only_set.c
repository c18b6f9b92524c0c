// some elements of y are changed again, others are not
void f(int16_t y[20], int16_t x[16], int16_t h[4]) {
  for (int i = 0; i < 20; i++) y[i] = 0;
  for (int i = 0; i < 13; i++) for (int k = 0; k < 4; k++) y[i] += x[i + k] * h[k]; }
