#include <adf.h>
#include <limits>
#include <type_traits>
#include "pool.h"

#define PROFILED(name) /* what it took, where cycles are counted */

/* in[64] of 8 rows, scale[8], out[16] */
template <typename T, int ROWS, int COLUMNS>
ScaledPool<T, ROWS, COLUMNS>::ScaledPool(T (&s)[COLUMNS], int shift, T bias)
    : scale(s), shift(shift), bias(bias)
{
    half = std::is_same<T, float>::value ? 0 : 1 << shift >> 1;
    for (int c = 0; c < COLUMNS; c++) row[c] = 0;
}

template <typename T, int ROWS, int COLUMNS>
T ScaledPool<T, ROWS, COLUMNS>::scaled(T value, int c)
{
    using Wide = typename std::conditional<(std::is_same<T, float>::value), float, int32_t>::type;
    const Wide product = (Wide)value * scale[c];
    return std::is_same<T, float>::value ? product : ((int)product + half) >> shift;
}

template <typename T, int ROWS, int COLUMNS>
void ScaledPool<T, ROWS, COLUMNS>::filter(input_window<T> *restrict in,
                                          output_window<T> *restrict out)
{
    for (int r = 0; r < ROWS; r += STEP) {
        for (int c = 0; c < COLUMNS; c++) row[c] = std::numeric_limits<T>::lowest();
        for (int k = 0; k < STEP * COLUMNS; k++) {
            T value = window_readincr(in);
            row[k % COLUMNS] = row[k % COLUMNS] > value ? row[k % COLUMNS] : value;
        }
        for (int c = 0; c < COLUMNS; c += 2) {
            const T most = row[c] > row[c + 1] ? row[c] : row[c + 1];
            window_writeincr(out, (T)(scaled(most, c) + bias));
        }
    }
    PROFILED("ScaledPool")
}
