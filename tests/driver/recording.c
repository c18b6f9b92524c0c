static double a[500][400];
void steps(void)
{
  for (int j = 399; j >= 0; j -= 3)
    for (int i = 2; i < 500; i++)
      a[i][j] = a[i - 2][j] + 1;
}
