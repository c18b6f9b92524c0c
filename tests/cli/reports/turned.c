void turn(int n, double a[400][400]) {
  for (int j = 0; j < 400; j++)
    for (int i = 0; i < 400; i++)
      a[i][j] = a[i][j] + 1;
}
