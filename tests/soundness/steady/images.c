/* Sizes and pixels behind pointers, some of them where pixels are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int w, h;
    unsigned char *px;
} image;

static void add(image *out, const image *in)
{
    for (int x = 0; x < out->w; x++)
        for (int y = 1; y < out->h; y++)
            out->px[y * out->w + x] = out->px[(y - 1) * out->w + x] + in->px[y * out->w + x];
}

static unsigned char *store;

static void show(const char *name, const image *a)
{
    unsigned sum = 0;
    for (int k = 0; k < 4096; k++)
        if (k < 1024 || k >= 1024 + (int)sizeof *a) sum = sum * 31 + store[k];
    printf("%s %d %d %u\n", name, a->w, a->h, sum);
}

int main(void)
{
    image a, b, *inside;
    static const int gaps[10] = {0, 56, 60, 76, 80, 216, 500, 616, 620, 700};
    store = malloc(4096);
    b = (image){20, 30, store + 2048};
    for (int k = 0; k < 4096; k++) store[k] = k * 7 % 251;
    a = (image){20, 30, store};
    add(&a, &b);
    show("apart", &a);
    a.px = store + 1500;
    add(&a, &b);
    show("overlapping", &a);
    for (int at = 0; at < 10; at++) {
        const int gap = gaps[at];
        inside = (image *)(store + 1024);
        inside->w = 20;
        inside->h = 30;
        inside->px = store + 1024 + 40 - gap; /* its own width or height is among its pixels */
        memset(store, gap ? 0 : 1, 1024);
        memset(store + 1024 + sizeof *inside, 0, 1024);
        memset(store + 2048, 0, 1024);
        add(inside, &b);
        show("inside", inside);
    }
    return 0;
}
