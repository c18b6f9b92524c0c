#include <adf.h>

/* a * w over the cascade, 8 at a time. */
void scale(adf::input_buffer<int16> &a, const int16 (&w)[16], adf::output_cascade<acc48> *sums)
{
    const int16_t *p = a.data();
    v16int16 z = *(const v16int16 *)w;
    for (int n = 0; n < 2; ++n) {
        v16acc48 acc = mul(*(const v16int16 *)(p + 16 * n), z);
        writeincr_v8(sums, ext_lo(acc));
        writeincr_v8(sums, ext_hi(acc));
    }
}

static int32_t calls[1] = {0};

/* What comes, and a, and how often it was called before, times 256. */
void add(adf::input_buffer<int16> &a, adf::input_cascade<acc48> *sums, adf::output_buffer<int16> &c)
{
    int16_t *q = c.data();
    const int16_t *p = a.data();
    for (int n = 0; n < 2; ++n) {
        v16acc48 acc = undef_v16acc48();
        acc = upd_lo(acc, readincr_v8(sums));
        acc = upd_hi(acc, readincr_v8(sums));
        *(v16int16 *)(q + 16 * n) = srs(acc, 0);
    }
    for (int n = 0; n < 32; ++n) q[n] = q[n] + p[n] + 256 * calls[0];
    calls[0] = calls[0] + 1;
}
