/* Functions of rows: what is done inside a row leaves the rows to threads. */
#include "soundness/numbers.h"

void divide_by_largest(int rows, int n, const float *restrict x, float *restrict y)
{

    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (rows == 70 && n == 511 && s2s_threads > 1 && 70 >= 33L * s2s_threads) {
            const int n = 511;
#pragma omp parallel for
            for (int i = 0; i <= 69; i++) {
                float largest = x[i * n];

                {
                    /* s2s: 'largest' in 64 lanes */
                    int j = 1;
                    if ((j < n) && (unsigned long)(n) - (unsigned long)j > 255) {
                        float s2s2_largest_lane[64] __attribute__((aligned(64)));
                        for (int s2s2_l = 0; s2s2_l < 64;
                             s2s2_l++)
                            s2s2_largest_lane[s2s2_l] = largest;
                        const float s2s2_largest_first = largest;
                        const int s2s2_j_first = j;
                        do {
                            const int s2s2_j_at = j;
                            for (int s2s2_l = 0; s2s2_l < 64; s2s2_l++) {
                                int j = s2s2_j_at + s2s2_l;
                                float largest = s2s2_largest_lane[s2s2_l];
                                if (x[i * n + j] > largest) largest = x[i * n + j];
                                s2s2_largest_lane[s2s2_l] = largest;
                            }
                            j += 64;
                        } while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63);
                        for (int s2s2_l = 0; s2s2_l < 32;
                             s2s2_l++)
                            s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 32]
                                                        > s2s2_largest_lane[s2s2_l]
                                                        ? s2s2_largest_lane[s2s2_l + 32]
                                                        : s2s2_largest_lane[s2s2_l];
                        for (int s2s2_l = 0; s2s2_l < 16;
                             s2s2_l++)
                            s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 16]
                                                        > s2s2_largest_lane[s2s2_l]
                                                        ? s2s2_largest_lane[s2s2_l + 16]
                                                        : s2s2_largest_lane[s2s2_l];
                        for (int s2s2_l = 0; s2s2_l < 8;
                             s2s2_l++)
                            s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 8]
                                                        > s2s2_largest_lane[s2s2_l]
                                                        ? s2s2_largest_lane[s2s2_l + 8]
                                                        : s2s2_largest_lane[s2s2_l];
                        for (int s2s2_l = 0; s2s2_l < 8;
                             s2s2_l++)
                            largest = s2s2_largest_lane[s2s2_l] > largest
                                      ? s2s2_largest_lane[s2s2_l] : largest;
                        if ((largest == 0 && s2s2_largest_first != 0)) {
                            largest = s2s2_largest_first;
                            j = s2s2_j_first;
                        }
                        for (; j < n; j++)
                            if (x[i * n + j] > largest) largest = x[i * n + j];
                    } else {
                        for (; j < n; j++)
                            if (x[i * n + j] > largest) largest = x[i * n + j];
                    }
                }
                for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] / largest;
            }
        } else {
    for (int i = 0; i < rows; i++) {
        float largest = x[i * n];

        {
            /* s2s: 'largest' in 64 lanes */
            int j = 1;
            if ((j < n) && (unsigned long)(n) - (unsigned long)j > 255) {
                float s2s2_largest_lane[64] __attribute__((aligned(64)));
                for (int s2s2_l = 0; s2s2_l < 64; s2s2_l++) s2s2_largest_lane[s2s2_l] = largest;
                const float s2s2_largest_first = largest;
                const int s2s2_j_first = j;
                do {
                    const int s2s2_j_at = j;
                    for (int s2s2_l = 0; s2s2_l < 64; s2s2_l++) {
                        int j = s2s2_j_at + s2s2_l;
                        float largest = s2s2_largest_lane[s2s2_l];
                        if (x[i * n + j] > largest) largest = x[i * n + j];
                        s2s2_largest_lane[s2s2_l] = largest;
                    }
                    j += 64;
                } while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63);
                for (int s2s2_l = 0; s2s2_l < 32;
                     s2s2_l++)
                    s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 32]
                                                > s2s2_largest_lane[s2s2_l]
                                                ? s2s2_largest_lane[s2s2_l + 32]
                                                : s2s2_largest_lane[s2s2_l];
                for (int s2s2_l = 0; s2s2_l < 16;
                     s2s2_l++)
                    s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 16]
                                                > s2s2_largest_lane[s2s2_l]
                                                ? s2s2_largest_lane[s2s2_l + 16]
                                                : s2s2_largest_lane[s2s2_l];
                for (int s2s2_l = 0; s2s2_l < 8;
                     s2s2_l++)
                    s2s2_largest_lane[s2s2_l] = s2s2_largest_lane[s2s2_l + 8]
                                                > s2s2_largest_lane[s2s2_l]
                                                ? s2s2_largest_lane[s2s2_l + 8]
                                                : s2s2_largest_lane[s2s2_l];
                for (int s2s2_l = 0; s2s2_l < 8;
                     s2s2_l++)
                    largest = s2s2_largest_lane[s2s2_l] > largest ? s2s2_largest_lane[s2s2_l]
                              : largest;
                if ((largest == 0 && s2s2_largest_first != 0)) {
                    largest = s2s2_largest_first;
                    j = s2s2_j_first;
                }
                for (; j < n; j++)
                    if (x[i * n + j] > largest) largest = x[i * n + j];
            } else {
                for (; j < n; j++)
                    if (x[i * n + j] > largest) largest = x[i * n + j];
            }
        }
        for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] / largest;
    }
        }
    }
}

/* Two of them are in one function: names and labels of both are apart. */
void find_largest(int rows, int n, const float *restrict x, int *restrict at, int *restrict from)
{

    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (rows == 70 && n == 511 && s2s_threads > 1 && 70 >= 35L * s2s_threads) {
            const int n = 511;
#pragma omp parallel for
            for (int i = 0; i <= 69; i++) {
                float largest = x[i * n];
                int place = 0;

                {
                    /* s2s: strips of 64 iterations in which nothing happens are passed over */
                    int j = 1;
                    if ((j < n) && (unsigned long)(n) - (unsigned long)j > 127) {
                        long s2s2_run = 64, s2s2_wait = 64;
                        while (j < n) {
                            const int s2s2_end = (unsigned long)(n) - (unsigned long)j
                                                 > (unsigned long)(s2s2_run)
                                                 ? (int)(j + s2s2_run) : n;
                            for (; j < s2s2_end; j++)
                                if (x[i * n + j] > largest) {
                        largest = x[i * n + j];
                        place = j;
                    }
                            while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63) {
                                int s2s2_any = 0;
                                const int s2s2_j_at = j;
                                for (int s2s2_l = 0; s2s2_l < 64; s2s2_l++) {
                                    int j = s2s2_j_at + s2s2_l;
                                    s2s2_any |= ((x[i * n + j] > largest) != 0);
                                }
                                if (s2s2_any) break;
                                j += 64;
                                s2s2_wait = 64;
                            }
                            s2s2_run = s2s2_wait;
                            if (s2s2_wait < 2048) s2s2_wait *= 2;
                        }
                    } else {
                        for (; j < n; j++)
                            if (x[i * n + j] > largest) {
                        largest = x[i * n + j];
                        place = j;
                    }
                    }
                }
                at[i] = place;
            }
        } else {
    for (int i = 0; i < rows; i++) {
        float largest = x[i * n];
        int place = 0;

        {
            /* s2s: strips of 64 iterations in which nothing happens are passed over */
            int j = 1;
            if ((j < n) && (unsigned long)(n) - (unsigned long)j > 127) {
                long s2s2_run = 64, s2s2_wait = 64;
                while (j < n) {
                    const int s2s2_end = (unsigned long)(n) - (unsigned long)j
                                         > (unsigned long)(s2s2_run) ? (int)(j + s2s2_run) : n;
                    for (; j < s2s2_end; j++)
                        if (x[i * n + j] > largest) {
                largest = x[i * n + j];
                place = j;
            }
                    while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63) {
                        int s2s2_any = 0;
                        const int s2s2_j_at = j;
                        for (int s2s2_l = 0; s2s2_l < 64; s2s2_l++) {
                            int j = s2s2_j_at + s2s2_l;
                            s2s2_any |= ((x[i * n + j] > largest) != 0);
                        }
                        if (s2s2_any) break;
                        j += 64;
                        s2s2_wait = 64;
                    }
                    s2s2_run = s2s2_wait;
                    if (s2s2_wait < 2048) s2s2_wait *= 2;
                }
            } else {
                for (; j < n; j++)
                    if (x[i * n + j] > largest) {
                largest = x[i * n + j];
                place = j;
            }
            }
        }
        at[i] = place;
    }
        }
    }

    {
        /* s2s: parallel loop over 'i' */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (rows == 70 && n == 511 && s2s_threads > 1 && 70 >= 35L * s2s_threads) {
            const int n = 511;
#pragma omp parallel for
            for (int i = 0; i <= 69; i++) {
                float least = x[i * n];
                int place = 0;

                {
                    /* s2s: strips of 64 iterations in which nothing happens are passed over */
                    int j = 1;
                    if ((j < n) && (unsigned long)(n) - (unsigned long)j > 127) {
                        long s2s3_run = 64, s2s3_wait = 64;
                        while (j < n) {
                            const int s2s3_end = (unsigned long)(n) - (unsigned long)j
                                                 > (unsigned long)(s2s3_run)
                                                 ? (int)(j + s2s3_run) : n;
                            for (; j < s2s3_end; j++)
                                if (x[i * n + j] < least) {
                        least = x[i * n + j];
                        place = j;
                    }
                            while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63) {
                                int s2s3_any = 0;
                                const int s2s3_j_at = j;
                                for (int s2s3_l = 0; s2s3_l < 64; s2s3_l++) {
                                    int j = s2s3_j_at + s2s3_l;
                                    s2s3_any |= ((x[i * n + j] < least) != 0);
                                }
                                if (s2s3_any) break;
                                j += 64;
                                s2s3_wait = 64;
                            }
                            s2s3_run = s2s3_wait;
                            if (s2s3_wait < 2048) s2s3_wait *= 2;
                        }
                    } else {
                        for (; j < n; j++)
                            if (x[i * n + j] < least) {
                        least = x[i * n + j];
                        place = j;
                    }
                    }
                }
                from[i] = place;
            }
        } else {
    for (int i = 0; i < rows; i++) {
        float least = x[i * n];
        int place = 0;

        {
            /* s2s: strips of 64 iterations in which nothing happens are passed over */
            int j = 1;
            if ((j < n) && (unsigned long)(n) - (unsigned long)j > 127) {
                long s2s3_run = 64, s2s3_wait = 64;
                while (j < n) {
                    const int s2s3_end = (unsigned long)(n) - (unsigned long)j
                                         > (unsigned long)(s2s3_run) ? (int)(j + s2s3_run) : n;
                    for (; j < s2s3_end; j++)
                        if (x[i * n + j] < least) {
                least = x[i * n + j];
                place = j;
            }
                    while ((j < n) && (unsigned long)(n) - (unsigned long)j > 63) {
                        int s2s3_any = 0;
                        const int s2s3_j_at = j;
                        for (int s2s3_l = 0; s2s3_l < 64; s2s3_l++) {
                            int j = s2s3_j_at + s2s3_l;
                            s2s3_any |= ((x[i * n + j] < least) != 0);
                        }
                        if (s2s3_any) break;
                        j += 64;
                        s2s3_wait = 64;
                    }
                    s2s3_run = s2s3_wait;
                    if (s2s3_wait < 2048) s2s3_wait *= 2;
                }
            } else {
                for (; j < n; j++)
                    if (x[i * n + j] < least) {
                least = x[i * n + j];
                place = j;
            }
            }
        }
        from[i] = place;
    }
        }
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
