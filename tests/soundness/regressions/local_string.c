// s2s: --force --parallel
// run
/* An array that a string initializes, in front of the loops, keeps nothing from being executed. */
#include <stdio.h>

static int rows[40][40];

static void shift(int n)
{
    char key[] = "abc";
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rows[j][i] = rows[j][i] * 2 + i + key[1];
    key[1] = (char)n;
    printf("%s\n", key);
}

int main(void)
{
    for (int n = 1; n <= 40; n += 13)
        shift(n);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            printf("%d ", rows[i][j]);
    return 0;
}
