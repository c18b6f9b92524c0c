// added to another one, which rounds otherwise
void f(float a[16], float w[4], float b[8]) {
  for (int i = 0; i < 8; i++) b[i] = (w[0] * a[i] + w[1] * a[i + 1]) + (w[2] * a[i + 2] + w[3] * a[i + 3]); }
