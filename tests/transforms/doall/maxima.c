// s2s: --parallel --passes=idioms,doall -- -fopenmp
// run
/* Functions of rows: what is done inside a row leaves the rows to threads. */
#include "soundness/numbers.h"

void divide_by_largest(int rows, int n, const float *restrict x, float *restrict y)
{
    // remark: parallel loop over 'i' [doall]
    for (int i = 0; i < rows; i++) {
        float largest = x[i * n];
        // remark: 'largest' in 64 lanes [idioms]
        for (int j = 1; j < n; j++)
            if (x[i * n + j] > largest) largest = x[i * n + j];
        for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] / largest;
    }
}

/* Two of them are in one function: names and labels of both are apart. */
void find_largest(int rows, int n, const float *restrict x, int *restrict at, int *restrict from)
{
    // remark: parallel loop over 'i' [doall]
    for (int i = 0; i < rows; i++) {
        float largest = x[i * n];
        int place = 0;
        // remark: strips of 64 iterations
        for (int j = 1; j < n; j++)
            if (x[i * n + j] > largest) {
                largest = x[i * n + j];
                place = j;
            }
        at[i] = place;
    }
    // remark: parallel loop over 'i' [doall]
    for (int i = 0; i < rows; i++) {
        float least = x[i * n];
        int place = 0;
        // remark: strips of 64 iterations
        for (int j = 1; j < n; j++)
            if (x[i * n + j] < least) {
                least = x[i * n + j];
                place = j;
            }
        from[i] = place;
    }
}

static float x[70 * 512], y[70 * 512];
static int at[70], from[70];

int main(void)
{
    double *p = numbers(70 * 512, 3);
    for (int k = 0; k < 70 * 512; k++) x[k] = (float)p[k];
    divide_by_largest(70, 511, x, y);
    find_largest(70, 511, x, at, from);
    show("y", y, sizeof y);
    show("at", at, sizeof at);
    show("from", from, sizeof from);
    free(p);
    return 0;
}
