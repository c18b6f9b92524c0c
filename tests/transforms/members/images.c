// s2s: --passes=members
// run
/* Images whose pixels are characters: a store may change any record to a compiler. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int width, height;
    long stride;
    unsigned char *pixels;
} Image;

static int at(const Image *image, int x, int y) { return image->pixels[y * image->stride + x]; }

void edges(const Image *from, Image *to) {
    for (int y = 1; y < from->height - 1; y++) // remark: members of 'from' and 'to' in locals
        for (int x = 1; x < from->width - 1; x++) {
            int across = at(from, x + 1, y) - at(from, x - 1, y);
            int down = at(from, x, y + 1) - at(from, x, y - 1);
            int sum = abs(across) + abs(down);
            to->pixels[y * to->stride + x] = sum > 255 ? 255 : sum;
        }
}

struct grid {
    int *cells, columns, rows, step;
};

/* Cells of the type of the record's members. */
void advance(struct grid *g, const struct grid *h) {
    for (int i = 0; i < g->rows; i++) // remark: members of 'g' and 'h' in locals
        for (int j = 0; j < g->columns; j++)
            g->cells[i * g->columns + j] = h->cells[i * h->columns + j] * g->step + j;
}

static void fill(unsigned char *bytes, int count) {
    for (int i = 0; i < count; i++)
        bytes[i] = i * 31 % 251;
}

static unsigned long sum_of(const void *memory, int count) {
    const unsigned char *bytes = memory;
    unsigned long sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

int main(void) {
    enum { WIDTH = 90, HEIGHT = 40, COUNT = WIDTH * HEIGHT };
    unsigned char *one = malloc(COUNT), *other = calloc(COUNT, 1);
    fill(one, COUNT);
    Image a = {WIDTH - 3, HEIGHT, WIDTH, one}, b = {WIDTH, HEIGHT, WIDTH, other};
    edges(&a, &b);
    printf("%lx\n", sum_of(other, COUNT));
    edges(&a, &a); /* what is read is written */
    printf("%lx\n", sum_of(one, COUNT));
    Image few = {4, 3, WIDTH, one};
    edges(&few, &b);
    Image none = {0, 0, 0, NULL};
    edges(&none, &none);
    printf("%lx\n", sum_of(other, COUNT));

    int *cells = malloc(COUNT * sizeof *cells), *before = malloc(COUNT * sizeof *before);
    for (int i = 0; i < COUNT; i++)
        before[i] = i % 29;
    struct grid g = {cells, 50, 30, 3}, h = {before, 60, 30, 1};
    advance(&g, &h);
    printf("%lx\n", sum_of(cells, 50 * 30 * sizeof *cells));
    /* The record's last member is its first cell, which sets it. */
    struct grid *own = (struct grid *)before;
    *own = (struct grid){before + 4, 40, 10, 5};
    h = (struct grid){cells, 40, 10, 1};
    advance(own, &h);
    printf("%lx\n", sum_of(before + 4, 40 * 10 * sizeof *cells));
    return 0;
}
