void mlp(int out[restrict 500], const int in[restrict 784], const int w[restrict 500][784]) {
  for (int k = 0; k < 500; k++)
    for (int c = 0; c < 784; c++) out[k] += w[k][c] * in[c];
}
