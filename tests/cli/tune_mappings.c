void scale(int out[24][20], const int in[24][22], const int w[3])
{
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 3; k++)
        out[i][j] += in[i][j + k] * w[k];
}
