// s2s: --force --parallel --passes=doall
// run
// no text: <= 4
/* The rows' last length is that of a typedef, or one that is computed. */
#include <stdio.h>

typedef float Four[4];
extern float given[][4];

static float turn(int n, int m)
{
    Four a[n][m];
    float b[n][m][1 << 2];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 4; k++) a[i][j][k] = i * 10 + j + given[j][k];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 4; k++) b[i][j][k] = a[i][j][3 - k] * 2;
    return b[n - 1][m - 1][0] + b[1][2][3];
}

float given[50][4] = {{1, 2}, {3}};

int main(void)
{
    printf("%g\n", turn(40, 50));
    return 0;
}
