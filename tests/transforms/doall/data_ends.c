// s2s: --parallel --passes=doall -- -O2 -fopenmp
// run
// text: >= 2185.0 * s2s_threads
/* What data ends has twenty iterations of three cycles, perhaps: few points are enough for threads. */
#include <stdio.h>
#include <stdlib.h>

void escape(unsigned short *to, int width, int height, int most) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double cr = 3.0 * x / width - 2, ci = 2.0 * y / height - 1, zr = 0, zi = 0;
            int k = 0;
            while (k < most && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            to[y * width + x] = k;
        }
}

int main(int count, char **words) {
    int width = count > 1 ? atoi(words[1]) : 320, height = count > 1 ? atoi(words[1]) : 240;
    unsigned short *to = malloc(width * height * sizeof *to);
    escape(to, width, height, 60);
    long sum = 0;
    for (int i = 0; i < width * height; i++) sum += to[i] * (i % 7);
    printf("%ld\n", sum);
    return 0;
}
