#include <stdio.h>
static float a[32][48], b[48][32], c[32][32], w[8][3][3], image[18][18], seen[8][18][18], x[64];
static double d[40][50], u[50], v[40];
int main(void) {
    for (int i = 0; i < 48 * 32; i++) {
        a[i / 48][i % 48] = (float)(i * 37 % 101) / 101.0f - 0.5f;
        b[i / 32][i % 32] = (float)(i * 53 % 97) / 97.0f - 0.5f;
    }
    for (int i = 0; i < 324; i++) image[i / 18][i % 18] = (float)(i * 7 % 31) / 31.0f;
    for (int i = 0; i < 72; i++) w[i / 9][i / 3 % 3][i % 3] = (float)(i % 7) / 7.0f - 0.4f;
    for (int i = 0; i < 2000; i++) d[i / 50][i % 50] = i * 0.37 - (int)(i * 0.37);
    for (int i = 0; i < 50; i++) u[i] = 1.0 / (i + 3);
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) {
            c[i][j] = 0.0f;
            for (int k = 0; k < 48; k++) c[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++) v[i] += d[i][j] * u[j];
    for (int o = 0; o < 8; o++)
        for (int y = 0; y < 18; y++)
            for (int x = 0; x < 18; x++)
                for (int r = 0; r < 3; r++) {
                    int line = y + r - 1;
                    if (line < 0) continue;
                    if (line >= 18) continue;
                    for (int s = 0; s < 3; s++) {
                        int at = x + s - 1;
                        if (at < 0 || at >= 18) continue;
                        seen[o][y][x] += w[o][r][s] * image[line][at];
                    }
                }
    double sum = 0;
    for (int i = 0; i < 32; i++) x[i] = c[i][i];
    for (int i = 0; i < 32; i++) sum += x[i] * seen[i % 8][i % 18][3];
    printf("%.9g %.17g %.9g\n", sum, v[7], (double)c[3][4]);
    return 0;
}
