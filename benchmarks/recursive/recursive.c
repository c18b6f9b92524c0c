/* A recursive filter along the rows of an image and then along its columns, both ways.
 *
 * What is carried along a line are scalars of the function: each line is for itself, but the text
 * has one variable for all of them.
 *
 * usage: recursive [ROWS [COLUMNS [ROUNDS]]]
 */
#include "../harness.h"
#include <time.h>

/* Filter each row forward and backward: to is rows x columns. */
static void along_rows(int rows, int columns, float (*from)[columns], float (*to)[columns])
{
    float before, last, last_but_one;
    int i, j;
    for (i = 0; i < rows; i++) {
        before = last = last_but_one = 0.0f;
        for (j = 0; j < columns; j++) {
            to[i][j] = 0.25f * from[i][j] + 0.125f * before + 0.5f * last - 0.0625f * last_but_one;
            before = from[i][j];
            last_but_one = last;
            last = to[i][j];
        }
        last = last_but_one = 0.0f;
        for (j = columns - 1; j >= 0; j--) {
            float value = 0.5f * to[i][j] + 0.5f * last - 0.0625f * last_but_one;
            to[i][j] = value;
            last_but_one = last;
            last = value;
        }
    }
}

/* The same down and up the columns. */
static void along_columns(int rows, int columns, float (*from)[columns], float (*to)[columns])
{
    float last, last_but_one;
    int i, j;
    for (j = 0; j < columns; j++) {
        last = last_but_one = 0.0f;
        for (i = 0; i < rows; i++) {
            to[i][j] = 0.25f * from[i][j] + 0.5f * last - 0.0625f * last_but_one;
            last_but_one = last;
            last = to[i][j];
        }
        last = last_but_one = 0.0f;
        for (i = rows - 1; i >= 0; i--) {
            float value = 0.5f * to[i][j] + 0.5f * last - 0.0625f * last_but_one;
            to[i][j] = value;
            last_but_one = last;
            last = value;
        }
    }
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 2000;
    int columns = argc > 2 ? atoi(argv[2]) : 3000;
    int rounds = argc > 3 ? atoi(argv[3]) : 4;
    if (rows < 1 || columns < 1 || rounds < 0) {
        fprintf(stderr, "usage: %s [ROWS [COLUMNS [ROUNDS]]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)rows * (size_t)columns;
    float *image = zeroed(count, sizeof *image), *between = zeroed(count, sizeof *between);
    for (size_t i = 0; i < count; i++) {
        image[i] = (float)(i * 97 % 251);
    }

    double start = seconds();
    for (int round = 0; round < rounds; round++) {
        along_rows(rows, columns, (float (*)[columns])image, (float (*)[columns])between);
        along_columns(rows, columns, (float (*)[columns])between, (float (*)[columns])image);
    }
    double end = seconds();

    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)image[i];
    }
    printf("bits: %016" PRIx64 "\n", hash_of(image, count * sizeof *image));
    printf("sum: %.6f\n", sum);
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(image);
    free(between);
    return 0;
}
