// s2s: --passes=narrow-walks -- -O3
// stays
/* Look-alikes: wide elements, numbers with a sign, other values, counts, ends and addresses. */
#include <stdbool.h>
typedef unsigned short Place;

unsigned types(unsigned *wide, short *signs, bool *bits, volatile Place *seen, unsigned n, unsigned w)
{
    unsigned m, k = n;
    do { m = *--wide; *wide = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--signs; *signs = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--bits; *bits = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--seen; *seen = m >= w ? m - w : 0; } while (--k);
    return m;
}

unsigned values(Place *p, unsigned n, unsigned w, int sign, unsigned v)
{
    unsigned m, k = n;
    do { m = *--p; *p = m >= w ? m - w : 1; } while (--k);
    k = n;
    do { m = *--p; *p = m <= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= w ? w - m : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= v ? m - w : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= sign ? m - sign : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= w ? (unsigned char)(m - w) : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= k ? m - k : 0; } while (--k);
    return m;
}

unsigned walks(Place *p, Place *q, unsigned n, unsigned w)
{
    unsigned m, k = n, x = w, *at = &x;
    do { m = *p; *p = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *p++; *p = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--p; *q = m >= w ? m - w : 0; } while (--k);
    k = n;
    do { m = *--p; *p = m >= w ? m - w : 0; } while (k--);
    k = n;
    do { m = *--p; *p = m >= w ? m - w : 0; } while (--k > 3);
    k = n;
    do { m = *--p; *p = m >= w ? m - w : 0; *at += 1; } while (--k);
    k = n;
    do { m = *--p; *p = m >= x ? m - x : 0; } while (--k);
    return m + *at;
}
