void triangle(int a[8][8], int c[8][8])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j <= i; j++) {
            c[i][j] *= 3;
            for (int k = 0; k < 8; k++)
                c[i][j] += a[i][k] * a[j][k];
        }
}
