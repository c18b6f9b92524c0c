/* a.b_c and a_b.c are two arrays, whatever a region calls its parameters. */
#include <stdint.h>
#include <stdio.h>

struct both {
    int16_t c[16], b_c[16];
};
static struct both a, a_b;
static int16_t sums[16];

int main(void)
{
    for (int i = 0; i < 16; i++) {
        a.b_c[i] = (int16_t)i;
        a_b.c[i] = (int16_t)(3 * i);
    }
    for (int i = 0; i < 16; i++) sums[i] = a.b_c[i] * 2 + a_b.c[i];
    for (int i = 0; i < 16; i++) printf("%d\n", sums[i]);
    return 0;
}
