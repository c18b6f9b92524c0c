// s2s: --passes=interleave -- -fopenmp
// stays
#include <stdio.h>
static void fill(int n, double *seed, double *y)
{
    double x = *seed, t;
    for (int i = 0; i < n; i++) {
        t = 2.5 * x + 0.3125;
        x = t - (int)t;
        y[i] = x;
    }
    *seed = x;
}
double goes_on(int n)
{
    static double row[64];
    double s = 0.5, sum = 0;
    for (int k = 0; k < n; k++) {
        fill(64, &s, row); // missed: 's' goes on from call to call [interleave]
        sum += row[k % 64];
    }
    return sum;
}
double used_before(int n)
{
    static double row[64];
    double s, sum = 0;
    for (int k = 0; k < n; k++) {
        sum += row[k % 64]; // missed: 'row' is used before the call [interleave]
        s = k;
        fill(64, &s, row);
    }
    return sum;
}
double changed(int n)
{
    static double row[64];
    double s, sum = 0;
    for (int k = 0; k < n; k++) {
        s = k;
        fill(64, &s, row);
        row[3] = k; // missed: 'row' is changed after the call [interleave]
        sum += row[k % 64];
    }
    return sum;
}
double left_early(int n)
{
    static double row[64];
    double s, sum = 0;
    for (int k = 0; k < n; k++) {
        s = k;
        fill(64, &s, row);
        if (row[1] > 0.5)
            break; // missed: the loop may be left, or an iteration ended [interleave]
        sum += row[k % 64];
    }
    return sum;
}
double row_shared[64];
double through_pointer(int n, double *p)
{
    double s, sum = 0;
    for (int k = 0; k < n; k++) {
        s = k;
        fill(64, &s, row_shared); // missed: 'row_shared' may be used through a pointer [interleave]
        p[k] += row_shared[k % 64];
    }
    return sum;
}
void printed(int n)
{
    static double row[64];
    double s;
    for (int k = 0; k < n; k++) {
        s = k;
        fill(64, &s, row);
        printf("%f\n", row[k % 64]); // missed: the loop prints [interleave]
    }
}
double head_reads_what_rest_writes(int n, double *from)
{
    static double row[64];
    double s, sum = 0;
    for (int k = 0; k < n; k++) {
        s = from[0]; // missed: the loop may write what prepares the call [interleave]
        fill(64, &s, row);
        from[k % 4] = row[k % 64];
    }
    return sum;
}
double threads_share(int n)
{
    static double row[64];
    double s, sum = 0;
#pragma omp parallel private(s)
    {
#pragma omp for reduction(+ : sum)
        for (int k = 0; k < n; k++) { // missed: threads share 'row' [interleave]
            s = k;
            fill(64, &s, row);
            sum += row[k % 64];
        }
    }
    return sum;
}
void other_threads_rows(int n, double (*rows)[64])
{
#pragma omp parallel
    {
        double s;
#pragma omp for
        for (int k = 0; k < n; k++) {
            s = k;
            // missed: rows of other threads' iterations would be filled [interleave]
            fill(64, &s, &rows[k][0]);
        }
    }
}
