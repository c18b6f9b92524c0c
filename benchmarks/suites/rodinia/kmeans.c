/* Arguments: points, features, clusters. */
#include <omp.h>

#include "../bench.h"

int num_omp_threads = 1;

float **kmeans_clustering(float **feature, int nfeatures, int npoints, int nclusters,
                          float threshold, int *membership);

int main(int argc, char **argv)
{
    int points = bench_argument(argc, argv, 1);
    int features = bench_argument(argc, argv, 2);
    int clusters = bench_argument(argc, argv, 3);
    size_t numbers = (size_t)points * (size_t)features;
    float *data = (float *)bench_alloc(numbers, sizeof *data);
    float **rows = (float **)bench_alloc((size_t)points, sizeof *rows);
    int *membership = (int *)bench_alloc((size_t)points, sizeof *membership);
    for (size_t i = 0; i < numbers; i++)
        data[i] = (float)bench_random(1, i);
    for (int i = 0; i < points; i++)
        rows[i] = data + (size_t)i * (size_t)features;

    num_omp_threads = omp_get_max_threads();
    double start = bench_now();
    float **centers = kmeans_clustering(rows, features, points, clusters, 0.001f, membership);
    bench_time(bench_now() - start);
    bench_floats("centers", centers[0], (size_t)clusters * (size_t)features);
    bench_ints("membership", membership, (size_t)points);
    return 0;
}
