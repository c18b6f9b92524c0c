// multiplied twice or after a limit
void f(float a[16], float w[4], float b[8]) {
  for (int i = 0; i < 8; i++) { float s = 0; for (int r = 0; r < 4; r++) s += a[i + r] * w[r];
    s = s > 0 ? s : 0; b[i] = 0.5f * s; } }
