/* s2s: permuted */
  if (n >= 8 && (n > 2 || n < 0)) {
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = a[i - 1][j] + 1;
  } else {
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
      a[i][j] = a[i - 1][j] + 1;
  }
