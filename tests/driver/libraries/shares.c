#include <stdio.h>
#define ADD(sum, a, b) sum += (a) * (b)
static double a[40][40], b[40][40], c[40][40], small[4];
int main(void) {
    int k = 0;
    for (int i = 0; i < 1600; i++) {
        a[i / 40][i % 40] = i % 5 - 2;
        b[i / 40][i % 40] = i % 3;
    }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) {
            c[i][j] = 0;
            for (int l = 0; l < 40; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            ADD(small[i], a[i][j], b[j][0]);
    double t = small[1] * 2 + small[2] * small[3] + 1;
    while (k * 3 + 1 < 100)
        k += 7 * 2;
    printf("%g %g %d\n", c[3][4], t, k);
    return 0;
}
