typedef struct { int width, height, stride; unsigned char *pixels; } Image;
void f(const Image *from, Image *to) {
    for (int y = 1; y < from->height - 1; y++)
        for (int x = 1; x < from->width - 1; x++)
            to->pixels[y * to->stride + x] = from->pixels[y * from->stride + x - 1] / 2 + 7;
}
