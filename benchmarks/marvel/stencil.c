void stencil(int out[restrict 64], const int in[restrict 64]) {
  for (int i = 1; i < 63; i++) out[i] = in[i - 1] + 2 * in[i] + in[i + 1];
}
