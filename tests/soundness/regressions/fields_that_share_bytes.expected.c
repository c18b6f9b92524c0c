/* Neighbouring bit-fields are stored together, and members of a union are one memory. */
#include <stdio.h>

typedef struct { unsigned a : 4, b : 5, c : 7; double d; } Flags;
typedef union { int whole; float part; } Number;

static Flags flags[3000];
static Number numbers[3000];
static int sums[9000];

/* Each store to 'a' writes 'b' back, so threads have to wait between both loops. */
static void pack(int m, int n, Flags *restrict p, int *restrict r)
{
    {
        /* s2s: parallel loop over 'i' */
        if (m >= 1 && n >= 1) {
#pragma omp parallel
            for (int j = 0; j < m; j++) {
#pragma omp barrier
#pragma omp single nowait
                {
                    for (int i = 0; i < n; i++) {
                        p[i].a = (i + j) & 15;
                    }
                    for (int i = 0; i < n; i++) {
                        p[n - 1 - i].b = (i + j) & 31;
                    }
                }
#pragma omp barrier
#pragma omp for nowait
                for (int i = 0; i < n; i++) {
                    r[j * n + i] = p[i].a + p[i].b;
                }
            }
        } else {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) p[i].a = (i + j) & 15;
        for (int i = 0; i < n; i++) p[n - 1 - i].b = (i + j) & 31;
        for (int i = 0; i < n; i++) r[j * n + i] = p[i].a + p[i].b;
    }
        }
    }
}

/* Both pointers may lead to the same numbers. */
static void number(int n, Number *p, Number *q)
{
    for (int i = 1; i < n; i++) {
        p[i].part = q[i - 1].whole * 0.5f;
        q[i].whole = q[i].whole & 0xffff;
    }
}

int main(void)
{
    for (int i = 0; i < 3000; i++) numbers[i].whole = i * 7;
    pack(3, 3000, flags, sums);
    number(3000, numbers, numbers);
    unsigned sum = 0;
    for (int i = 0; i < 9000; i++) sum = sum * 3 + sums[i];
    for (int i = 0; i < 3000; i++) sum = sum * 3 + numbers[i].whole;
    printf("%u\n", sum);
    return 0;
}
