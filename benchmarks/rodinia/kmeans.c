/* Clustering by the nearest of k means, until few points change their cluster.
 *
 * In the parallel region each thread adds points to sums of its own, which it finds by its
 * number; one thread adds those up afterwards. Features are small whole numbers, so that sums are
 * exact and do not depend on the number of threads.
 *
 * usage: kmeans [POINTS [CLUSTERS [FEATURES]]]
 */
#include <float.h>
#include <omp.h>

#include "../harness.h"

static int threads;

static inline float squared_distance(float *left, float *right, int features)
{
    float sum = 0.0f;
    for (int f = 0; f < features; f++) {
        sum += (left[f] - right[f]) * (left[f] - right[f]);
    }
    return sum;
}

int nearest(float *point, int features, float **centres, int clusters)
{
    int which = 0;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
        float distance = squared_distance(point, centres[c], features);
        if (distance < least) {
            least = distance;
            which = c;
        }
    }
    return which;
}

static float **table(int rows, int columns)
{
    float **result = zeroed(rows, sizeof *result);
    result[0] = zeroed((size_t)rows * columns, sizeof *result[0]);
    for (int row = 1; row < rows; row++) {
        result[row] = result[row - 1] + columns;
    }
    return result;
}

/* The centres, one a row; member[i] becomes the cluster of point i, *rounds how often it took. */
float **cluster(float **feature, int features, int points, int clusters, float threshold,
                int *member, int *rounds)
{
    int i, j, c, which, round = 0;
    float changed;
    float **centres = table(clusters, features);
    float **sum = table(clusters, features);
    int *size = zeroed(clusters, sizeof *size);
    float ***partial_sum = zeroed(threads, sizeof *partial_sum);
    int **partial_size = zeroed(threads, sizeof *partial_size);

    for (i = 0; i < threads; i++) {
        partial_sum[i] = table(clusters, features);
        partial_size[i] = zeroed(clusters, sizeof *partial_size[i]);
    }
    for (c = 0; c < clusters; c++) {
        for (j = 0; j < features; j++) {
            centres[c][j] = feature[c][j];
        }
    }
    for (i = 0; i < points; i++) {
        member[i] = -1;
    }

    do {
        changed = 0.0;
        omp_set_num_threads(threads);
#pragma omp parallel shared(feature, centres, member, partial_sum, partial_size)
        {
            int me = omp_get_thread_num();
#pragma omp for private(i, j, which) firstprivate(points, clusters, features) schedule(static) \
    reduction(+ : changed)
            for (i = 0; i < points; i++) {
                which = nearest(feature[i], features, centres, clusters);
                if (member[i] != which) {
                    changed += 1.0;
                }
                member[i] = which;
                partial_size[me][which]++;
                for (j = 0; j < features; j++) {
                    partial_sum[me][which][j] += feature[i][j];
                }
            }
        }
        for (c = 0; c < clusters; c++) {
            for (i = 0; i < threads; i++) {
                size[c] += partial_size[i][c];
                partial_size[i][c] = 0;
                for (j = 0; j < features; j++) {
                    sum[c][j] += partial_sum[i][c][j];
                    partial_sum[i][c][j] = 0.0;
                }
            }
        }
        for (c = 0; c < clusters; c++) {
            for (j = 0; j < features; j++) {
                if (size[c] > 0) {
                    centres[c][j] = sum[c][j] / size[c];
                }
                sum[c][j] = 0.0;
            }
            size[c] = 0;
        }
    } while (changed > threshold && round++ < 500);
    *rounds = round;
    return centres;
}

int main(int argc, char **argv)
{
    int points = argc > 1 ? atoi(argv[1]) : 60000;
    int clusters = argc > 2 ? atoi(argv[2]) : 20;
    int features = argc > 3 ? atoi(argv[3]) : 34;
    if (points < 1 || clusters < 1 || clusters > points || features < 1 || features > 1000) {
        fprintf(stderr, "usage: %s [POINTS [CLUSTERS [FEATURES]]]\n", argv[0]);
        return 2;
    }
    float **feature = table(points, features);
    uint64_t state = 1957;
    for (int i = 0; i < points; i++) {
        for (int f = 0; f < features; f++) {
            feature[i][f] = (float)((int)(next_number(&state) * 12.0) + (i * 7 + f) % 5);
        }
    }
    int *member = zeroed(points, sizeof *member);
    threads = omp_get_max_threads();

    double start = omp_get_wtime();
    int rounds;
    float **centres = cluster(feature, features, points, clusters, 0.01f * points, member, &rounds);
    double end = omp_get_wtime();

    size_t count = (size_t)clusters * features;
    printf("bits: %016" PRIx64 " %016" PRIx64 "\n", hash_of(centres[0], count * sizeof(float)),
           hash_of(member, points * sizeof *member));
    printf("rounds: %d\n", rounds);
    fprintf(stderr, "time: %.6f s\n", end - start);
    return 0;
}
