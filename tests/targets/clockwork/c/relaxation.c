#define N 16
void relaxation(unsigned a[N][N], unsigned b[N][N])
{
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = (a[i][j] + a[i][j-1] + a[i][1+j] + a[1+i][j] + a[i-1][j]) / 5;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = (b[i][j] + b[i][j-1] + b[i][1+j] + b[1+i][j] + b[i-1][j]) / 5;
    }
}
