/* The part of the C interface to LAPACK that the suite's Cholesky decomposition calls. */
#ifndef S2S_BENCH_LAPACKE_H
#define S2S_BENCH_LAPACKE_H

#define LAPACK_COL_MAJOR 102

int LAPACKE_dpotrf_work(int layout, char uplo, int n, double *a, int lda);

#endif
