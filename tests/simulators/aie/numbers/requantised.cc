#include "aie_intrinsics.h"

#include "aie_api/aie.hpp"

/* Sums scaled by a factor of each lane, or one of all: a[128], w[64], b[192]. */
void requantised(const int32_t *restrict a, const int16_t *restrict w, int32_t *restrict b,
                 int factor)
{
    const int16_t scale = w[5];
    set_sat();
    set_rnd(rnd_sym_inf);
    aie::accum<acc48, 16> zero;
    zero.from_vector(aie::broadcast<int16_t, 16>(w[6]), 9);
    aie::accum<acc80, 8> wide_zero;
    wide_zero.from_vector(aie::broadcast<int16_t, 8>(w[7]), 20);
    for (int n = 0; n < 2; n++) {
        aie::vector<int32_t, 16> x = aie::load_v<16>(a + 16 * n);
        aie::vector<int16_t, 16> s = aie::load_v<16>(w + 16 * n);
        v16int8 bytes = bsrs(aie::mul(s, s), 17);
        aie::vector<int8_t, 16> t = bytes;
        aie::store_v(b + 16 * n, aie::mac(zero, s, x).to_vector<int32_t>(12));
        aie::accum<acc48, 16> sums = aie::add(aie::mac(zero, x, scale), x);
        aie::store_v(b + 32 + 16 * n, aie::sub(aie::mac(sums, t, scale), s).to_vector<int32_t>(5));
        aie::store_v(b + 64 + 16 * n, aie::mul(s, factor).to_vector<int32_t>(3));
        aie::vector<int32_t, 8> low = x.extract<8>(0), high = x.extract<8>(1);
        auto one = aie::mac(wide_zero, low, factor), other = aie::mac(wide_zero, high, factor);
        auto both = aie::concat(one, other);
        b[96 + n] = aie::reduce_add(both.to_vector<int16_t>(31).extract<8>(1));
        b[98 + n] = aie::reduce_max(both.to_vector<int8_t>(40));
        aie::store_v(b + 112 + 16 * n, both.to_vector<int32_t>(30));
        aie::store_v(b + 144 + 16 * n, aie::mul_square(x).to_vector<int32_t>(33));
    }
}
