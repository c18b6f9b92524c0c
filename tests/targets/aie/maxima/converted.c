// refused: 4: the maxima of 'pool' cannot be mapped: pooling: its elements are converted, from int8
#include <stdint.h>

void pool(const int8_t in[64], int32_t out[32])
{
    for (int x = 0; x < 32; x++)
        out[x] = in[2 * x] > in[2 * x + 1] ? in[2 * x] : in[2 * x + 1];
}
