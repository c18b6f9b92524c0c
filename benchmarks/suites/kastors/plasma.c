/* Arguments: size of the matrix, size of a tile (a divisor of it).
 *
 * Tiled Cholesky decomposition. The suite calls BLAS and LAPACK for the tiles; plain loops for the
 * cases that it needs stand in for them, so that no library has to be there. All matrices are
 * stored by columns, and the factor is the upper one.
 */
#include "../bench.h"
#include "cblas.h"
#include "lapacke.h"
#include "plasma.h"

#include "compute_d.h"

int LAPACKE_dpotrf_work(int layout, char uplo, int n, double *a, int lda)
{
    (void)layout;
    (void)uplo;
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            double rest = a[i + j * lda];
            for (int k = 0; k < i; k++)
                rest -= a[k + i * lda] * a[k + j * lda];
            a[i + j * lda] = i < j ? rest / a[i + i * lda] : sqrt(rest);
        }
    return 0;
}

void cblas_dtrsm(const enum CBLAS_ORDER Order, const enum CBLAS_SIDE Side,
                 const enum CBLAS_UPLO Uplo, const enum CBLAS_TRANSPOSE TransA,
                 const enum CBLAS_DIAG Diag, const int M, const int N, const double alpha,
                 const double *A, const int lda, double *B, const int ldb)
{
    (void)Order, (void)Side, (void)Uplo, (void)TransA, (void)Diag;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double rest = alpha * B[i + j * ldb];
            for (int k = 0; k < i; k++)
                rest -= A[k + i * lda] * B[k + j * ldb];
            B[i + j * ldb] = rest / A[i + i * lda];
        }
}

void cblas_dsyrk(const enum CBLAS_ORDER Order, const enum CBLAS_UPLO Uplo,
                 const enum CBLAS_TRANSPOSE Trans, const int N, const int K, const double alpha,
                 const double *A, const int lda, const double beta, double *C, const int ldc)
{
    (void)Order, (void)Uplo, (void)Trans;
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++) {
            double sum = 0.0;
            for (int k = 0; k < K; k++)
                sum += A[k + i * lda] * A[k + j * lda];
            C[i + j * ldc] = beta * C[i + j * ldc] + alpha * sum;
        }
}

void cblas_dgemm(const enum CBLAS_ORDER Order, const enum CBLAS_TRANSPOSE TransA,
                 const enum CBLAS_TRANSPOSE TransB, const int M, const int N, const int K,
                 const double alpha, const double *A, const int lda, const double *B,
                 const int ldb, const double beta, double *C, const int ldc)
{
    (void)Order, (void)TransA, (void)TransB;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0.0;
            for (int k = 0; k < K; k++)
                sum += A[k + i * lda] * B[k + j * ldb];
            C[i + j * ldc] = beta * C[i + j * ldc] + alpha * sum;
        }
}

static PLASMA_desc tiled(double *tiles, int n, int size)
{
    PLASMA_desc matrix;
    memset(&matrix, 0, sizeof matrix);
    matrix.mat = tiles;
    matrix.dtyp = PlasmaRealDouble;
    matrix.mb = matrix.nb = size;
    matrix.bsiz = size * size;
    matrix.lm = matrix.ln = matrix.m = matrix.n = n;
    matrix.lm1 = matrix.ln1 = matrix.lmt = matrix.lnt = matrix.mt = matrix.nt = n / size;
    matrix.A21 = matrix.A12 = matrix.A22 = (size_t)n * (size_t)n;
    return matrix;
}

int main(int argc, char **argv)
{
    int size = bench_argument(argc, argv, 2);
    int n = bench_argument(argc, argv, 1) / size * size;
    size_t cells = (size_t)n * (size_t)n;
    double *tiles = (double *)bench_alloc(cells, sizeof *tiles);
    PLASMA_desc matrix = tiled(tiles, n, size);
    for (size_t i = 0; i < cells; i++)
        tiles[i] = bench_random(1, i);
    for (int t = 0; t < matrix.nt; t++)
        for (int i = 0; i < size; i++)
            tiles[(size_t)(t * matrix.nt + t) * (size_t)(size * size) + (size_t)(i * size + i)] += n;

    double start = bench_now();
#pragma omp parallel
#pragma omp master
    plasma_pdpotrf_quark(PlasmaUpper, matrix);
    bench_time(bench_now() - start);
    bench_doubles("tiles", tiles, cells);
    return 0;
}
