/* A detector in small: convolutions that are a backbone and two heads, and between them what has
   nothing to multiply (layouts, maxima, limits), with control flow that stays on the host. */
#include <stdint.h>
#include <stdio.h>

#define N 20

static int16_t image[N + 4][N + 4], first[N + 2][N + 2], second[N][N];
static int16_t scores[N - 2][N - 2], boxes[N - 2][N - 2];
static int16_t turned[N - 2][N - 2], limited[N - 2][N - 2], best[N - 2][N - 2];
static int16_t wide[N - 2][N - 2], shifted[N - 2][N - 2], kept[N - 2][N - 2];
static const int16_t edges[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
static const int16_t blur[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
static const int16_t score[3][3] = {{-1, 2, -1}, {2, 3, 2}, {-1, 2, -1}};
static const int16_t box[3][3] = {{0, 1, 0}, {1, 1, 1}, {0, 1, 0}};

int main(void)
{
    unsigned seed = 1;
    int found = 0;
    long sum = 0;
    for (int y = 0; y < N + 4; y++)
        for (int x = 0; x < N + 4; x++) {
            seed = seed * 1103515245u + 12345u;
            image[y][x] = (int16_t)(seed >> 27);
        }

    /* The backbone. */
    for (int y = 0; y < N + 2; y++)
        for (int x = 0; x < N + 2; x++) {
            int16_t s = 0;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) s += image[y + r][x + q] * edges[r][q];
            first[y][x] = s;
        }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int16_t s = 0;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) s += first[y + r][x + q] * blur[r][q];
            second[y][x] = s;
        }

    /* The heads, and what is done with their results. */
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) {
            int16_t s = 0;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) s += second[y + r][x + q] * score[r][q];
            scores[y][x] = s;
        }
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) {
            int16_t s = 0;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) s += second[y + r][x + q] * box[r][q];
            boxes[y][x] = s;
        }
    for (int k = 0; k < 3; k++) printf("%d %d\n", scores[k][k], boxes[k][k]);

    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) turned[y][x] = scores[y][N - 3 - x];
    while (found < N - 2 && scores[found][found] < 0) found++;
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) limited[y][x] = boxes[y][x] > 0 ? boxes[y][x] : 0;
    printf("first at %d\n", found);
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++)
            best[y][x] = turned[y][x] > limited[y][x] ? turned[y][x] : limited[y][x];
    for (int k = 0; k < N - 2; k++) found += best[k][k] > 100;
    printf("%d are large\n", found);
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) wide[y][x] = (int16_t)(best[y][x] << 1);
    if (found > 100) printf("crowded\n");
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) shifted[y][x] = (int16_t)(wide[y][x] - boxes[y][x]);
    printf("%d\n", shifted[1][2]);
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++)
            kept[y][x] = shifted[y][x] > best[y][x] ? best[y][x] : shifted[y][x];
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) sum = sum * 31 % 1000003 + kept[y][x];
    printf("%ld\n", sum);
    return 0;
}
