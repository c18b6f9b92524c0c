void both(float out[restrict 5], const float a[restrict 5][6][7]) {
  for (int i = 0; i < 5; i++) {
    float sum = 0;
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++) sum += a[i][j][k] * a[i][j][k];
    out[i] = sum;
  }
}
