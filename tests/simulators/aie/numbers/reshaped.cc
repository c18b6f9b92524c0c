#include "aie_intrinsics.h"

#include "aie_api/aie.hpp"

/* Lanes that move, vectors that become one number or that pointers take apart:
   a[64], w[128] of 16 bits, b[160]. */
void reshaped(const float *restrict a, const int16_t *restrict w, float *restrict b, int by)
{
    aie::vector<float, 16> x = aie::load_v<16>(a);
    aie::vector<float, 8> y = aie::load_v<8>(a + 16), z = aie::load_v<8>(a + 24);
    b[0] = aie::reduce_add(x);
    b[1] = aie::reduce_max(y);
    b[2] = aie::reduce_min(aie::mul(y, z).to_vector<float>());
    y = aie::shuffle_down_fill(y, z, by);
    z = aie::shuffle_up_fill(z, y, 3);
    aie::store_v(b + 16, y);
    aie::store_v(b + 24, z);
    aie::store_v(b + 32, aie::shuffle_down_rotate(x, by + 4));
    aie::store_v(b + 48, aie::shuffle_up_replicate(y, by));
    aie::store_v(b + 56, aie::filter_even(x));
    aie::store_v(b + 64, aie::filter_odd(aie::shuffle_down_replicate(x, 3), 2));
    v16float both = *(const v16float *)(a + 32);
    *(v8float *)(b + 72) = fpmac(y, both, 8, 0x76543210, 4, 0x01234567);
    for (int n = 0; n < 3; n++) {
        aie::vector<int16_t, 16> s = aie::load_v<16>(w + 16 * n);
        const int16_t sum = aie::reduce_add(s), most = aie::reduce_max(s);
        b[80 + n] = sum;
        b[84 + n] = most - aie::reduce_min(aie::shuffle_up_rotate(s, n));
        v16int8 bytes = bsrs(aie::mul_square(s), 11);
        v16int16 wide = ((aie::vector<int8_t, 16>)bytes).unpack();
        b[88 + n] = aie::reduce_max((aie::vector<int8_t, 16>)bytes);
        b[92 + n] = ext_elem(wide, 9);
        aie::vector<int16_t, 16> low = aie::shuffle_up(s, 8), high = aie::shuffle_down(s, 5);
        low.insert(0, high.extract<8>(0));
        b[96 + n] = aie::reduce_add(low);
        b[100 + n] = aie::reduce_min(aie::filter_odd(s, 4));
        aie::store_unaligned_v<8>(b + 117 + 13 * n, aie::load_unaligned_v<8>(a + 3 + n));
        aie::vector<int16_t, 16> apart = aie::sub(s, aie::load_unaligned_v<16>(w + 1, 1));
        int16_t *one = (int16_t *)&apart;
        b[104 + n] = one[3 + n];
        one += 2;
        *one++ = n;
        *one = apart.get(5 + n);
        apart = aie::add(apart, s);
        b[108 + n] = one[-1] + one[1];
        aie::vector<int16_t, 16> tops = aie::filter_even(*(const v32int16 *)(w + 16 * n));
        tops.insert(1, apart.extract<8>(0));
        b[112 + n] = aie::reduce_max(tops);
    }
}
