// s2s: --passes=members --force
// stays
/* What keeps members where they are. */
#include <stdlib.h>

typedef struct {
    int width, height, stride, count;
    unsigned char *pixels;
    double *values;
} Image;

/* Nothing that is stored may be a member. */
void scale(Image *a, double by) {
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            a->values[y * a->stride + x] *= by;
}

/* A member is set. */
void count(Image *a) {
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            a->pixels[y * a->width + x] = a->count++;
}

/* The record is named for more. */
extern int is_dark(const Image *a, int x, int y);
void mark(Image *a) {
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            a->pixels[y * a->width + x] = is_dark(a, x, y);
}

/* Pixels wait for each other. */
void run(Image *a) {
    for (int y = 0; y < a->height; y++) // missed@*: iterations wait for each other in any case
        for (int x = 1; x < a->width; x++)
            a->pixels[y * a->stride + x] += a->pixels[y * a->stride + x - 1];
}
