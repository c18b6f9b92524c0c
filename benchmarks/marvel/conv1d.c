void conv1d(int out[restrict 32], const int in[restrict 36], const int w[restrict 5]) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 5; j++) out[i] += in[i + j] * w[j];
}
