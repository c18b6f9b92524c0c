// an element is added twice to a sum of floats
void f(float a[16], float b[8]) {
  for (int i = 0; i < 8; i++) b[i] = a[i] + a[i + 1] + a[i]; }
