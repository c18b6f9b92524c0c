// s2s: --passes=narrow-walks -- -O3
// run
/* Places of strings in a window that has moved: those before it are 0; down, up, and in bytes. */
#include <stdio.h>
typedef unsigned short Place;
#define NONE 0

struct table { Place *heads; unsigned size; };

static unsigned moved(struct table *t, unsigned by)
{
    unsigned n = t->size, m;
    Place *p = &t->heads[n];
    do {
        m = *--p;
        *p = (Place)(m >= by ? m - by : NONE);
        /* What is before the window is never looked for. */
    } while (--n);
    return m + 7 * n + (unsigned)(p - t->heads);
}

static unsigned long darker(unsigned char *row, int width, unsigned by)
{
    unsigned char *p = row;
    unsigned long old;
    if (width > 0)
        do { old = *p; *p++ = by > old ? 0 : (unsigned char)(old - by); } while (--width > 0);
    else
        return 5;
    return old + 3 * (unsigned long)(p - row) + width;
}

int main(void)
{
    static Place heads[200];
    static unsigned char row[200];
    const unsigned amounts[] = {0, 1, 77, 254, 255, 256, 40000, 65534, 65535, 65536, 4294967295u};
    unsigned long sum = 0, drawn = 12345;
    for (unsigned n = 1; n <= 200; n += 1 + n / 5)
        for (unsigned a = 0; a < sizeof amounts / sizeof *amounts; a++) {
            struct table t = {heads, n};
            for (int i = 0; i < 200; i++) {
                drawn = drawn * 6364136223846793005u + 1442695040888963407u;
                heads[i] = i % 9 ? drawn >> 40 : 65535 - i % 2;
                row[i] = drawn >> 33;
            }
            sum = sum * 31 + moved(&t, amounts[a]);
            sum = sum * 31 + darker(row, (int)n - 1, amounts[a]);
            for (int i = 0; i < 200; i++) sum = sum * 31 + heads[i] + 3u * row[i];
        }
    printf("%lu\n", sum);
    return 0;
}
