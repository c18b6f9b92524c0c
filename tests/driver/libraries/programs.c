#include <math.h>
#include <stdio.h>
static double memory[400];
static int large, count;
static struct layer {
    double out[5], grid[5][5], *w, *in;
    double (*apply)(double);
    int n, ld;
} layer;
static double twice(double value) { return value > 3 ? 3 - value : 2 * value; }
static double more(double value) { count++; return value + 1; }
static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
static double walk(int n, const double *a, const double *b) {
    double sum = 0;
    int i;
    for (i = 0; i < n; ++i) sum += *a++ * *b++;
    return sum;
}
static void axpy(int n, double by, const double *a, double *to) {
    for (int k = 0; k < n; k++) to[k] += by * a[k];
}
static void settle(void) {
    for (int i = 0; i < 430; i++) {
        double *at = i < 400 ? memory + i : layer.out + i - 400;
        if (!(fabs(*at) < 1e12)) large = 1;
        *at = fmod(*at, 4);
    }
}
#define EACH(v) for (v = 0; v < n; v++)
#define TIMES(M, in, to) EACH(i) EACH(j) to[i] += M[i * ld + j] * in[j];
#define BOTH(M, N, in, to) { TIMES(M, in, to) TIMES(N, to, in) }
#define AND_COUNT(what) what; count++
#define PARAMETERS int n, int m, int ld, double alpha, double beta, double *A, double *B, \
    double *C, double *x, double *y, double *z, double *o, struct layer *l
FUNCTIONS
typedef void function(PARAMETERS);
static function *const all[] = { NAMES };
int main(void) {
    for (unsigned f = 0; f < sizeof all / sizeof *all; f++)
        for (int way = 0; way < 3; way++) {
            double *at = memory;
            unsigned long hash = 5381;
            large = 0;
            struct layer *l = &layer;
            layer = (struct layer){.apply = way == 1 ? more : twice};
            for (int i = 0; i < 400; i++) memory[i] = (i * 7 + i / 5 * 3 + way) % 5 - 2;
            /* apart; matrices that overlap; vectors in a matrix, and the same one twice */
            if (way == 0)
                all[f](5, 4, 5, 2, 3, at, at + 40, at + 80, at + 120, at + 130, at + 140, 0, l);
            if (way == 1)
                all[f](4, 3, 6, 1, 0, at, at + 7, at + 60, at + 120, at + 122, at + 140, at + 9, l);
            if (way == 2)
                all[f](5, 5, 5, -1, 1, at, at, at + 80, at + 2, at + 130, at + 130, at + 80, l);
            for (int i = 0; i < 400; i++) {
                union { double d; unsigned long u; } bits = {memory[i] + count + 0.0};
                hash = hash * 33 ^ bits.u;
            }
            if (large) printf("%u %d large\n", f, way);
            else printf("%u %d %lx\n", f, way, hash);
        }
    return 0;
}
