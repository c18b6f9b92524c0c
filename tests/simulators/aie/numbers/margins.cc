#include "aie_intrinsics.h"

/* Rows of 8 floats between margins: words and vectors of one stream, a[16] to b[22]. */
void margins(input_stream_float *restrict a, output_stream_float *restrict b, float margin)
{
    for (int row = 0; row < 2; row++) {
        writeincr(b, margin);
        for (int n = 0; n < 8; n += 4) writeincr_v4(b, readincr_v4(a));
        writeincr(b, margin);
        writeincr(b, -margin);
    }
}
