"""Kernels in the styles of the vendor's guides, and what they compute, in numpy.

Each takes arrays ``a`` and ``w`` and fills ``b``; ``CALLS`` says how C++ calls it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Data = np.ndarray[Any, Any]

FIR = """
// 16 taps, 8 outputs at a time; the register is a ring of which the oldest quarter is replaced.
#define TAPS 16
#define SAMPLES 64
void fir(input_window_int16 *restrict a, input_window_int16 *restrict w,
         output_window_int16 *restrict b)
{
    v32int16 sbuff = undef_v32int16();
    const v16int16 chess_storage(wc0) coe = window_readincr_v16(w);
    sbuff = upd_v(sbuff, 0, window_readincr_v8(a));
    sbuff = upd_v(sbuff, 1, window_readincr_v8(a));
    sbuff = upd_v(sbuff, 2, window_readincr_v8(a));

#define STEP(from, part)                                                             \\
    sbuff = upd_v(sbuff, part, window_readincr_v8(a));                                \\
    acc = mul8(sbuff, from, 0x03020100, 2, 0x2110, coe, 0, 0, 1);                     \\
    acc = mac8(acc, sbuff, (from + 4) % 32, 0x03020100, 2, 0x2110, coe, 4, 0, 1);     \\
    acc = mac8(acc, sbuff, (from + 8) % 32, 0x03020100, 2, 0x2110, coe, 8, 0, 1);     \\
    acc = mac8(acc, sbuff, (from + 12) % 32, 0x03020100, 2, 0x2110, coe, 12, 0, 1);   \\
    window_writeincr(b, srs(acc, 12));

    for (unsigned i = 0; i < SAMPLES / 32; ++i)
        chess_prepare_for_pipelining
        chess_loop_range(SAMPLES / 32, SAMPLES / 32)
    {
        v8acc48 acc;
        STEP(0, 3)
        STEP(8, 0)
        STEP(16, 1)
        STEP(24, 2)
    }
}
"""


def fir(a: Data, w: Data) -> Data:
    """Sixteen taps over 64 samples."""
    return np.array([(a[i : i + 16] * w[:16]).sum() >> 12 for i in range(64)])


PRODUCT = """
// 64x8 by 8x2, columns one after the other; the loop over k has to be unrolled for its start in Z.
static const unsigned int M = 64;
inline void two_columns(input_window_int16 *a, v16int16 &right, v16acc48 &acc, int i)
{
    v32int16 left = undef_v32int16();
    left = upd_w(left, 0, window_read_v16(a));
    window_incr(a, 64);
    left = upd_w(left, 1, window_read_v16(a));
    window_incr(a, 64);
    acc = mac16(acc, left, 0, 0x73727170, 0x77767574, 0x3120, right, i, 0x0, 0x0, 1);
}
void product(input_window_int16 *a, input_window_int16 *w, output_window_int16 *b)
{
    v16int16 right = window_read_v16(w);
    v16acc48 acc = null_v16acc48();
    for (unsigned int i = 0; i < M / 16; i++) {
        acc = null_v16acc48();
        for (int j = 0; j < 8; j += 2)
            two_columns(a, right, acc, j);
        window_write(b, srs(acc, 15));
        window_incr(b, 64);
        window_decr(a, 512);
        acc = null_v16acc48();
        for (int j = 8; j < 16; j += 2)
            two_columns(a, right, acc, j);
        window_write(b, srs(acc, 15));
        window_decr(b, 48);
        window_decr(a, 496);
    }
}
"""


def product(a: Data, w: Data) -> Data:
    """Matrices with contiguous columns."""
    left, right = a[:512].reshape(8, 64).T, w[:16].reshape(2, 8).T
    return np.asarray((left @ right >> 15).T.ravel())


GEMM = """
// 4x8 by 8x8 of 32 bits: rows of the left matrix in X, one of whose elements all lanes take.
void gemm(const int32_t *__restrict a, const int32_t *__restrict w, int32_t *__restrict b)
{
#define LMUL                                                                         \\
    zbuff = *pw++;                                                                    \\
    even = lmul8(xbuff, 0, 0x00000000, zbuff, 0, 0x76543210);                         \\
    odd = lmul8(xbuff, 8, 0x00000000, zbuff, 0, 0x76543210)
#define LMAC(S1, S2)                                                                 \\
    zbuff = *pw++;                                                                    \\
    even = lmac8(even, xbuff, S1, 0x00000000, zbuff, 0, 0x76543210);                  \\
    odd = lmac8(odd, xbuff, S2, 0x00000000, zbuff, 0, 0x76543210)
    v16int32 *pa = (v16int32 *)a;
    v8int32 *pb = (v8int32 *)b;
    v8int32 zbuff;
    v8acc80 even, odd;
    for (int i = 0; i < 2; i++) chess_prepare_for_pipelining chess_loop_range(2, ) {
        v8int32 *pw = (v8int32 *)w;
        v16int32 xbuff = *pa++;
        LMUL;
        LMAC(1, 9); LMAC(2, 10); LMAC(3, 11); LMAC(4, 12); LMAC(5, 13); LMAC(6, 14); LMAC(7, 15);
        *pb++ = srs(even, 20);
        *pb++ = srs(odd, 20);
    }
}
"""


def gemm(a: Data, w: Data) -> Data:
    """Rows times columns, exactly."""
    left, right = a[:32].reshape(4, 8).astype(object), w[:64].reshape(8, 8).astype(object)
    return np.array([int(v) >> 20 for v in (left @ right).ravel()], object)


DENSE = """
// A fully connected layer of bytes: 16 outputs, 32 inputs, eight at a time.
void dense(int8_t *restrict a, int8_t *restrict w, int8_t *restrict b)
{
    set_sat();
    set_rnd(rnd_sym_inf);
    v16int8 *pw = (v16int8 *)w;
    v16acc48 acc = null_v16acc48();
    v32int8 inputs = *(v32int8 *)a;
    v128int8 mat = undef_v128int8();
    for (int k = 0; k < 32; k += 8) {
        for (int n = 0; n < 8; n++)
            mat = upd_v(mat, n, *pw++);
        acc = mac16(acc, mat, 0, 0x33323130, 32, 0x3120, inputs, k, 0x00000000, 2, 0x1010);
    }
    *(v16int8 *)b = bsrs(acc, 9);
    clr_sat();
    set_rnd(rnd_floor);
}
"""


def dense(a: Data, w: Data) -> Data:
    """Rounded half away from zero, saturated."""
    sums = a[:32] @ w[:512].reshape(32, 16)
    rounded = np.sign(sums) * ((np.abs(sums) + 256) >> 9)
    return np.asarray(rounded.clip(-128, 127))


CONV = """
/* 3 x 3 over rows of 64, one row of outputs: three pointers that move on, registers that wrap. */
#define OFFS 0x03020100, 0x07060504
void conv(const int16_t *restrict a, const int16_t *restrict w, int16_t *restrict b)
{
    const v16int16 *restrict p0 = (const v16int16 *)a;
    const v16int16 *restrict p1 = (const v16int16 *)(a + 64);
    const v16int16 *restrict p2 = (const v16int16 *)(a + 128);
    v16int16 *restrict out = (v16int16 *)b;
    v16int16 wvec = *(const v16int16 *)w;
    v32int16 r0 = xset_w(0, *p0++), r1 = xset_w(0, *p1++), r2 = xset_w(0, *p2++);
    for (int i = 0; i < 1; i++)
        chess_prepare_for_pipelining chess_loop_range(1, 1)
    {
        r0 = upd_w(r0, 1, *p0++); r1 = upd_w(r1, 1, *p1++); r2 = upd_w(r2, 1, *p2++);
        v16acc48 acc = mul16(r0, 0, OFFS, 0x2110, wvec, 0, 0, 0, 1);
        acc = mac16(acc, r0, 2, OFFS, 0x2110, wvec, 2, 0, 0, 1);
        acc = mac16(acc, r1, 0, OFFS, 0x2110, wvec, 4, 0, 0, 1);
        acc = mac16(acc, r1, 2, OFFS, 0x2110, wvec, 6, 0, 0, 1);
        acc = mac16(acc, r2, 0, OFFS, 0x2110, wvec, 8, 0, 0, 1);
        acc = mac16(acc, r2, 2, OFFS, 0x2110, wvec, 10, 0, 0, 1);
        *out++ = srs(acc, 10);
        r0 = upd_w(r0, 0, *p0++); r1 = upd_w(r1, 0, *p1++); r2 = upd_w(r2, 0, *p2++);
        acc = mul16(r0, 16, OFFS, 0x2110, wvec, 0, 0, 0, 1);
        acc = mac16(acc, r0, 18, OFFS, 0x2110, wvec, 2, 0, 0, 1);
        acc = mac16(acc, r1, 16, OFFS, 0x2110, wvec, 4, 0, 0, 1);
        acc = mac16(acc, r1, 18, OFFS, 0x2110, wvec, 6, 0, 0, 1);
        acc = mac16(acc, r2, 16, OFFS, 0x2110, wvec, 8, 0, 0, 1);
        acc = mac16(acc, r2, 18, OFFS, 0x2110, wvec, 10, 0, 0, 1);
        *out++ = srs(acc, 10);
    }
}
"""


def conv(a: Data, w: Data) -> Data:
    """Rows of the filter have four elements, as the kernel takes them."""
    found = np.zeros(32, np.int64)
    for s in range(3):
        for r in range(4):
            found += a[64 * s + r : 64 * s + r + 32] * w[4 * s + r]
    return found >> 10


STREAM = """
// What a stream brings, scaled, with an offset that stands in a vector.
void scaled(input_stream_int16 *restrict a, input_stream_int16 *restrict w,
            output_stream_int16 *restrict b)
{
    const int16_t gain = readincr(w);
    const int16_t bias = readincr(w);
    v16int16 z = null_v16int16();
    z = upd_elem(z, 0, gain);
    v8int16 offset = null_v8int16();
    for (int i = 0; i < 8; i++)
        offset = shft_elem(offset, bias);
    for (int i = 0; i < 6; i++) chess_prepare_for_pipelining {
        v32int16 x = xset_v(0, readincr_v8(a));
        v8acc48 acc = mul8(x, 0, 0x03020100, 0, 0x1100, z, 0, 0, 0);
        acc = msc8(acc, x, 0, 0x03020100, 0, 0x1100, z, 0, 0, 1);
        acc = acc + offset;
        writeincr_v8(b, srs(acc, 2));
    }
}
"""


def scaled(a: Data, w: Data) -> Data:
    """Four products of one sample less one of them, plus the offset."""
    return np.asarray((3 * a[:48] * w[0] + w[1]) >> 2)


BIASED = """
// Sums of 48 bits that start with 32-bit values, and leave as such.
void biased(const int16_t *restrict a, const int32_t *restrict w, int32_t *restrict b)
{
    alignas(32) static const int16_t taps[16] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8};
    const v16int16 z = *(const v16int16 *)taps;
    for (int i = 0; i < 32; i += 16) {
        v32int16 x = *(const v32int16 *)(a + i);
        v16int32 start = *(const v16int32 *)(w + i);
        v16acc48 acc = undef_v16acc48();
        acc = upd_lo(acc, ups(ext_w(start, 0), 8));
        acc = upd_hi(acc, ups(ext_w(start, 1), 8));
        for (int k = 0; k < 8; k += 2) chess_unroll_loop(*)
            acc = mac16(acc, x, k, 0x03020100, 0x07060504, 0x2110, z, k, 0, 0, 1);
        *(v8int32 *)(b + i) = lsrs(ext_lo(acc), 4);
        *(v8int32 *)(b + i + 8) = lsrs(ext_hi(acc), 4);
    }
}
"""


def biased(a: Data, w: Data) -> Data:
    """Eight taps on shifted initial values."""
    taps = [3, -1, 4, 1, -5, 9, 2, -6]
    sums = w[:32] * 256 + sum(tap * a[k : k + 32] for k, tap in enumerate(taps))
    return np.asarray((sums >> 4).astype(np.int32))


BYTES = """
// 16-bit samples and 8-bit weights: four columns.
void mixed(const int16_t *restrict a, const int8_t *restrict w, int16_t *restrict b)
{
    v32int8 z = *(const v32int8 *)w;
    v16acc48 low, high;
    for (int i = 0; i < 64; i += 32) {
        v64int16 x = concat(*(const v16int16 *)(a + i), *(const v16int16 *)(a + i + 16),
                            *(const v16int16 *)(a + i + 32), *(const v16int16 *)(a + i + 48));
        low = mul16(x, 0, 0x03020100, 0x07060504, 2, 0x2110, z, 0, 0, 0, 2, 0x1010);
        high = mul16(x, 16, 0x03020100, 0x07060504, 2, 0x2110, z, 0, 0, 0, 2, 0x1010);
        low = mac16(low, x, 4, 0x03020100, 0x07060504, 2, 0x2110, z, 4, 0, 0, 2, 0x1010);
        high = mac16(high, x, 20, 0x03020100, 0x07060504, 2, 0x2110, z, 4, 0, 0, 2, 0x1010);
        *(v16int16 *)(b + i) = srs(low, 6);
        *(v16int16 *)(b + i + 16) = srs(high, 6);
    }
}
"""


def mixed(a: Data, w: Data) -> Data:
    """Eight taps."""
    return np.asarray(sum(int(w[k]) * a[k : k + 64] for k in range(8))) >> 6


POOL = """
// No multiplication: sums and absolute differences of rows, with compares.
void pooled(const int32_t *a, const int32_t *w, int32_t *b)
{
    const v16int32 limit = *(const v16int32 *)w;
    int32_t n = 3;
    while (n-- > 0) {
        v16int32 x = *(const v16int32 *)(a + 32 * n), y = *(const v16int32 *)(a + 32 * n + 16);
        v16int32 sum = abs16(sub16(x, y));
        unsigned greater = gt16(sum, 0, 0x76543210, 0xfedcba98, limit, 0, 0x76543210, 0xfedcba98);
        *(v16int32 *)(b + 16 * n) = select16(greater, sum, limit);
    }
}
"""


def pooled(a: Data, w: Data) -> Data:
    """Absolute differences, limited."""
    rows = a[:96].reshape(3, 2, 16)
    return np.asarray(np.minimum(np.abs(rows[:, 0] - rows[:, 1]), w[:16]).ravel())


Kernel = tuple[str, Callable[[Data, Data], Data], tuple[int, int, int], str]
KERNELS: dict[str, Kernel] = {
    "fir": (FIR, fir, (16, 16, 16), "window"),
    "product": (PRODUCT, product, (16, 16, 16), "window"),
    "gemm": (GEMM, gemm, (32, 32, 32), ""),
    "dense": (DENSE, dense, (8, 8, 8), ""),
    "conv": (CONV, conv, (16, 16, 16), ""),
    "scaled": (STREAM, scaled, (16, 16, 16), "stream"),
    "biased": (BIASED, biased, (16, 32, 32), ""),
    "mixed": (BYTES, mixed, (16, 8, 16), ""),
    "pooled": (POOL, pooled, (32, 32, 32), ""),
}
"""Text, values, bits of a, w and b, and what leads to the arrays: pointers, windows, streams."""


def inputs(name: str, seed: int) -> dict[str, Data]:
    """Values over the whole range, but for sums of 32-bit vectors, which wrap."""
    generator = np.random.default_rng(seed)
    bits = KERNELS[name][2]
    spare = 2 if name == "pooled" else 0
    sizes = {"a": 1024, "w": 512}
    found = {}
    for (key, size), width in zip(sizes.items(), bits, strict=False):
        most = (1 << width - 1 - spare) - 1
        found[key] = generator.integers(-most - 1, most, size, endpoint=True)
    return found


def wrapped(values: Data, bits: int) -> Data:
    """Values as numbers of so many bits."""
    return np.array([((int(v) + (1 << bits - 1)) % (1 << bits)) - (1 << bits - 1) for v in values])
