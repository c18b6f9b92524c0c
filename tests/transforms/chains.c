#include <stdio.h>
static T A[80][80], B[80][80];
int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 5, 8, 9, 33, 34, 35, 41, 66, 79};
    for (int s = 0; s < 13; s++)
        for (int t = 0; t < 13; t++) {
            double sum = 0;
            for (int i = 0; i < 80; i++)
                for (int j = 0; j < 80; j++) {
                    A[i][j] = (i * 7 + j * 3) % 11 / (T)8; B[i][j] = (i + j * 5) % 13 / (T)16;
                }
            f(sizes[s], sizes[t], A, B);
            for (int i = 0; i < 80; i++)
                for (int j = 0; j < 80; j++) sum = sum * 1.0001 + A[i][j] + 3 * B[i][j];
            printf("%d %d %a\n", sizes[s], sizes[t], sum);
        }
    return 0;
}
