#include <stdio.h>
static float x[3][18][18], w[4][3][3][3], y[4][16][16];
int main(void){
    for (int c = 0; c < 3; c++) for (int i = 0; i < 18; i++) for (int j = 0; j < 18; j++) x[c][i][j] = (float)((c * 7 + i * 5 + j * 3) % 23 - 11) / 3;
    for (int k = 0; k < 4; k++) for (int c = 0; c < 3; c++) for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) w[k][c][i][j] = (float)((k * 3 + c * 7 + i * 5 + j) % 13 - 6) / 7;
    for (int k = 0; k < 4; k++)
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            float s = 0;
            for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                for (int l = 0; l < 3; l++)
                    s += x[c][i+r][j+l] * w[k][c][r][l];
            y[k][i][j] = s;
        }
    float t = 0;
    for (int k = 0; k < 4; k++) for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) if (y[k][i][j] > t) t = y[k][i][j];
    printf("%.2f\n", t);
    return 0;
}
