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
    {
        /* s2s: members of 'from' and 'to' in locals */
        if (/* what is read early is there */
            from->height >= 3
            && from->width >= 3
            /* sizes for which this is right, and gains */
            && from->width >= 34 && from->stride >= from->width && to->stride + 1 >= from->width
            /* 'from->height' keeps its value */
            && ((const char *)(&from->height + 1)
                <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&from->height)
            /* 'from->pixels' keeps its value */
            && ((const char *)(&from->pixels + 1)
                <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&from->pixels)
            /* 'from->stride' keeps its value */
            && ((const char *)(&from->stride + 1)
                <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&from->stride)
            /* 'from->width' keeps its value */
            && ((const char *)(&from->width + 1)
                <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&from->width)
            /* 'to->pixels' keeps its value */
            && ((const char *)(&to->pixels + 1) <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&to->pixels)
            /* 'to->stride' keeps its value */
            && ((const char *)(&to->stride + 1) <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)&to->stride)
            /* 'from' and 'to.pixels' do not overlap */
            && ((const char *)(from + 1) <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)from)
            /* 'from.pixels' and 'to.pixels' do not overlap */
            && ((const char *)(from->pixels + from->height * (long)from->stride)
                <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)from->pixels)
            /* 'to.pixels' and 'to.pixels' do not overlap */
            && ((const char *)(to + 1) <= (const char *)(to->pixels + (long)to->stride)
                || (const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                   <= (const char *)to)
            /* 'to.pixels' and 'to.stride' do not overlap */
            && ((const char *)(to->pixels + ((long)from->height - 1) * (long)to->stride)
                <= (const char *)to
                || (const char *)(to + 1) <= (const char *)(to->pixels + (long)to->stride))) {
            const int s2s_from_height = from->height;
            __typeof__(&from->pixels[0]) const s2s_from_pixels = from->pixels;
            const long s2s_from_stride = from->stride;
            const int s2s_from_width = from->width;
            __typeof__(&to->pixels[0]) const s2s_to_pixels = to->pixels;
            const long s2s_to_stride = to->stride;
            for (int y = 1; y < s2s_from_height - 1; y++) {
                for (int x = 1; x < s2s_from_width - 1; x++) {
                    int across = ((int)(s2s_from_pixels[y * s2s_from_stride + (x + 1)]))
                                 - ((int)(s2s_from_pixels[y * s2s_from_stride + (x - 1)]));
                    int down = ((int)(s2s_from_pixels[(y + 1) * s2s_from_stride + x]))
                               - ((int)(s2s_from_pixels[(y - 1) * s2s_from_stride + x]));
                    int sum = abs(across) + abs(down);
                    s2s_to_pixels[y * s2s_to_stride + x] = sum > 255 ? 255 : sum;
                }
            }
        } else {
    for (int y = 1; y < from->height - 1; y++)
        for (int x = 1; x < from->width - 1; x++) {
            int across = at(from, x + 1, y) - at(from, x - 1, y);
            int down = at(from, x, y + 1) - at(from, x, y - 1);
            int sum = abs(across) + abs(down);
            to->pixels[y * to->stride + x] = sum > 255 ? 255 : sum;
        }
        }
    }
}

struct grid {
    int *cells, columns, rows, step;
};

/* Cells of the type of the record's members. */
void advance(struct grid *g, const struct grid *h) {
    {
        /* s2s: members of 'g' and 'h' in locals */
        if (/* what is read early is there */
            g->rows >= 1
            && g->columns >= 1
            /* sizes for which this is right, and gains */
            && g->columns >= 32 && h->columns >= g->columns
            /* 'g->columns' keeps its value */
            && ((const char *)(&g->columns + 1) <= (const char *)g->cells
                || (const char *)(g->cells + g->rows * (long)g->columns)
                   <= (const char *)&g->columns)
            /* 'g->rows' keeps its value */
            && ((const char *)(&g->rows + 1) <= (const char *)g->cells
                || (const char *)(g->cells + g->rows * (long)g->columns)
                   <= (const char *)&g->rows)
            /* 'h->columns' keeps its value */
            && ((const char *)(&h->columns + 1) <= (const char *)g->cells
                || (const char *)(g->cells + g->rows * (long)g->columns)
                   <= (const char *)&h->columns)
            /* 'g.cells' and 'g' do not overlap */
            && ((const char *)(g->cells + g->rows * (long)g->columns) <= (const char *)g
                || (const char *)(g + 1) <= (const char *)g->cells)
            /* 'g.cells' and 'h.cells' do not overlap */
            && ((const char *)(g->cells + g->rows * (long)g->columns)
                <= (const char *)h->cells
                || (const char *)(h->cells + g->rows * (long)h->columns)
                   <= (const char *)g->cells)
            /* 'g.cells' and 'h.columns' do not overlap */
            && ((const char *)(g->cells + g->rows * (long)g->columns) <= (const char *)h
                || (const char *)(h + 1) <= (const char *)g->cells)) {
            __typeof__(&h->cells[0]) const s2s_h_cells = h->cells;
            const int s2s_h_columns = h->columns;
            for (int i = 0; i < g->rows; i++) {
                for (int j = 0; j < g->columns; j++) {
                    g->cells[i * g->columns + j] = s2s_h_cells[i * s2s_h_columns + j] * g->step + j;
                }
            }
        } else {
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->columns; j++)
            g->cells[i * g->columns + j] = h->cells[i * h->columns + j] * g->step + j;
        }
    }
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
