// CCE C as C++ of the host: what the intrinsics do to memory, one after another, without pipes.
//
// A program that is compiled with -D__CCE_KT_TEST__ and this header runs on the host. It is the
// second reading of the same text, beside the simulator in Python, and shares nothing with it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __global__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__

namespace cce {

inline uint16_t to_half(float value) {
    uint32_t x;
    std::memcpy(&x, &value, 4);
    const uint32_t sign = x >> 16 & 0x8000u;
    x &= 0x7fffffffu;
    if (x > 0x7f800000u) return uint16_t(sign | 0x7e00u | (x >> 13 & 0x3ffu));
    if (x >= 0x47800000u) return uint16_t(sign | 0x7c00u);
    int exponent = int(x >> 23) - 127;
    uint32_t mantissa = (x & 0x7fffffu) | 0x800000u;
    int shift = 13;
    if (exponent < -14) {
        shift += -14 - exponent;
        if (shift > 25) return uint16_t(sign);
    }
    const uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
    uint32_t bits = exponent < -14 ? kept : (uint32_t(exponent + 14) << 10) + kept;
    if (rest > tie || (rest == tie && (kept & 1))) bits++;
    return uint16_t(sign | bits);
}

inline float to_float(uint16_t h) {
    const uint32_t sign = uint32_t(h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ffu;
    uint32_t x;
    if (exponent == 31) {
        x = sign | 0x7f800000u | mantissa << 13;
    } else if (exponent) {
        x = sign | (exponent + 112) << 23 | mantissa << 13;
    } else {
        float small = float(mantissa) * (1.0f / 16777216);
        std::memcpy(&x, &small, 4);
        x |= sign;
    }
    float value;
    std::memcpy(&value, &x, 4);
    return value;
}

}  // namespace cce

struct half {
    uint16_t bits;
    half() = default;
    half(float value) : bits(cce::to_half(value)) {}
    half(double value) : half(float(value)) {}
    half(int value) : half(float(value)) {}
    operator float() const { return cce::to_float(bits); }
};

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3 };
enum pad_t { PAD_NONE };

namespace cce {

constexpr size_t SIZE = 1 << 20;
inline char *memory(int which) {
    static char *all[5] = {};
    if (!all[which]) all[which] = static_cast<char *>(std::aligned_alloc(512, SIZE));
    return all[which];
}
inline uint64_t mask[2] = {~0ull, ~0ull}, cmpmask[2] = {0, 0};
inline uint64_t image = 0, output = 0;
inline uint16_t padding = 0;

// An address of a memory of the core is a small number, one of global memory is the host's.
template <class T> T *at(T *address, int which) {
    return reinterpret_cast<T *>(memory(which) + reinterpret_cast<uintptr_t>(address));
}
inline bool lane(const uint64_t *bits, int k) { return bits[k >> 6] >> (k & 63) & 1; }

template <class T> T lower(float x) { return T(x); }
template <> inline half lower<half>(float x) { return half(x); }

enum { UB, L1, L0A, L0B, L0C };

template <class T, class F>
void two(T *dst, T *src0, T *src1, int repeat, int db, int b0, int b1, int dr, int r0, int r1, F f) {
    constexpr int per = 32 / sizeof(T);
    dst = at(dst, UB), src0 = at(src0, UB), src1 = at(src1, UB);
    for (int r = 0; r < repeat; r++) {
        T made[8 * per];
        for (int k = 0; k < 8 * per; k++)
            if (lane(mask, k))
                made[k] = f(src0[(r * r0 + k / per * b0) * per + k % per],
                            src1[(r * r1 + k / per * b1) * per + k % per]);
        for (int k = 0; k < 8 * per; k++)
            if (lane(mask, k)) dst[(r * dr + k / per * db) * per + k % per] = made[k];
    }
}

template <class D, class S, class F>
void one(D *dst, S *src, int repeat, int db, int sb, int dr, int sr, F f) {
    constexpr int wide = sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S), width = 256 / wide;
    constexpr int dper = 32 / sizeof(D), sper = 32 / sizeof(S);
    dst = at(dst, UB), src = at(src, UB);
    for (int r = 0; r < repeat; r++) {
        D made[width];
        for (int k = 0; k < width; k++)
            if (lane(mask, k)) made[k] = f(src[(r * sr + k / sper * sb) * sper + k % sper]);
        for (int k = 0; k < width; k++)
            if (lane(mask, k)) dst[(r * dr + k / dper * db) * dper + k % dper] = made[k];
    }
}

}  // namespace cce

#define CCE_TWO(name, expression)                                                             \
    template <class T>                                                                        \
    void name(T *d, T *s0, T *s1, int n, int a, int b, int c, int e, int f, int g) {          \
        cce::two(d, s0, s1, n, a, b, c, e, f, g, [](T x, T y) -> T { return expression; });   \
    }
CCE_TWO(vmax, x != x ? x : y != y ? y : x >= y ? x : y)
CCE_TWO(vmin, x != x ? x : y != y ? y : x <= y ? x : y)
CCE_TWO(vadd, T(x + y))
CCE_TWO(vsub, T(x - y))
CCE_TWO(vmul, T(x * y))
CCE_TWO(vdiv, T(x / y))
CCE_TWO(vand, T(x & y))
CCE_TWO(vor, T(x | y))

#define CCE_ONE(name, expression)                                                             \
    template <class T> void name(T *d, T *s, int n, int a, int b, int e, int f) {             \
        cce::one(d, s, n, a, b, e, f, [](T x) -> T { return expression; });                   \
    }
CCE_ONE(vabs, T(__builtin_fabsf(float(x))))
CCE_ONE(vrelu, x != x ? x : float(x) > 0 ? x : T(0))

template <class T, class N> void vmuls(T *d, T *s, N by, int n, int a, int b, int e, int f) {
    const T k = T(by);
    cce::one(d, s, n, a, b, e, f, [k](T x) -> T { return T(x * k); });
}
template <class T, class N> void vadds(T *d, T *s, N by, int n, int a, int b, int e, int f) {
    const T k = T(by);
    cce::one(d, s, n, a, b, e, f, [k](T x) -> T { return T(x + k); });
}
inline void vconv_f162f32(float *d, half *s, int n, int a, int b, int e, int f) {
    cce::one(d, s, n, a, b, e, f, [](half x) { return float(x); });
}
inline void vconv_f322f16(half *d, float *s, int n, int a, int b, int e, int f) {
    cce::one(d, s, n, a, b, e, f, [](float x) { return half(x); });
}
template <class T, class N> void vector_dup(T *d, N value, int n, int a, int, int e, int) {
    const T k = T(value);
    constexpr int per = 32 / sizeof(T);
    d = cce::at(d, cce::UB);
    for (int r = 0; r < n; r++)
        for (int l = 0; l < 8 * per; l++)
            if (cce::lane(cce::mask, l)) d[(r * e + l / per * (a ? a : 1)) * per + l % per] = k;
}

#define CCE_COMPARE(name, op)                                                                 \
    template <class T>                                                                        \
    void vcmp_##name(T *s0, T *s1, int n, int, int b, int c, int, int f, int g) {             \
        constexpr int per = 32 / sizeof(T);                                                   \
        s0 = cce::at(s0, cce::UB), s1 = cce::at(s1, cce::UB);                                 \
        for (int r = 0; r < n; r++) {                                                         \
            cce::cmpmask[0] = cce::cmpmask[1] = 0;                                            \
            for (int l = 0; l < 8 * per; l++)                                                 \
                if (cce::lane(cce::mask, l) &&                                                \
                    float(s0[(r * f + l / per * b) * per + l % per])                          \
                        op float(s1[(r * g + l / per * c) * per + l % per]))                  \
                    cce::cmpmask[l >> 6] |= 1ull << (l & 63);                                 \
        }                                                                                     \
    }                                                                                         \
    template <class T>                                                                        \
    void vcmpv_##name(uint8_t *d, T *s0, T *s1, int n, int, int b, int c, int, int f, int g) {\
        constexpr int per = 32 / sizeof(T);                                                   \
        d = cce::at(d, cce::UB), s0 = cce::at(s0, cce::UB), s1 = cce::at(s1, cce::UB);        \
        for (int r = 0; r < n; r++)                                                           \
            for (int l = 0; l < 8 * per; l++) {                                               \
                const int bit = r * 8 * per + l;                                              \
                const bool set = float(s0[(r * f + l / per * b) * per + l % per])             \
                    op float(s1[(r * g + l / per * c) * per + l % per]);                      \
                if (bit % 8 == 0) d[bit / 8] = 0;                                             \
                d[bit / 8] = uint8_t(d[bit / 8] | set << bit % 8);                            \
            }                                                                                 \
    }
CCE_COMPARE(eq, ==)
CCE_COMPARE(ne, !=)
CCE_COMPARE(lt, <)
CCE_COMPARE(le, <=)
CCE_COMPARE(gt, >)
CCE_COMPARE(ge, >=)

template <class T> void set_cmpmask(T *from) { std::memcpy(cce::cmpmask, cce::at(from, cce::UB), 16); }
template <class T> void get_cmpmask(T *to) { std::memcpy(cce::at(to, cce::UB), cce::cmpmask, 16); }
template <class T>
void vsel(T *d, T *s0, T *s1, int n, int a, int b, int c, int e, int f, int g) {
    constexpr int per = 32 / sizeof(T);
    d = cce::at(d, cce::UB), s0 = cce::at(s0, cce::UB), s1 = cce::at(s1, cce::UB);
    for (int r = 0; r < n; r++)
        for (int l = 0; l < 8 * per; l++)
            if (cce::lane(cce::mask, l))
                d[(r * e + l / per * a) * per + l % per] =
                    cce::lane(cce::cmpmask, l) ? s0[(r * f + l / per * b) * per + l % per]
                                               : s1[(r * g + l / per * c) * per + l % per];
}

inline void set_vector_mask(uint64_t high, uint64_t low) { cce::mask[1] = high, cce::mask[0] = low; }
inline void set_vector_mask_dup(uint64_t both) { cce::mask[0] = cce::mask[1] = both; }
inline void pipe_barrier(pipe_t) {}
inline void set_flag(pipe_t, pipe_t, event_t) {}
inline void wait_flag(pipe_t, pipe_t, event_t) {}

namespace cce {
inline void bursts(char *to, const char *from, int count, int length, int from_gap, int to_gap) {
    for (int k = 0; k < count; k++)
        std::memmove(to + size_t(k) * (length + to_gap) * 32, from + size_t(k) * (length + from_gap) * 32,
                     size_t(length) * 32);
}
}  // namespace cce
#define CCE_COPY(name, to, from)                                                              \
    template <class T, class U>                                                               \
    void name(T *d, U *s, int, int count, int length, int s_gap, int d_gap, int = 0) {        \
        cce::bursts((char *)(to), (const char *)(from), count, length, s_gap, d_gap);         \
    }
CCE_COPY(copy_gm_to_ubuf, cce::at(d, cce::UB), s)
CCE_COPY(copy_gm_to_cbuf, cce::at(d, cce::L1), s)
CCE_COPY(copy_ubuf_to_gm, d, cce::at(s, cce::UB))
CCE_COPY(copy_ubuf_to_ubuf, cce::at(d, cce::UB), cce::at(s, cce::UB))
CCE_COPY(copy_cbuf_to_ubuf, cce::at(d, cce::UB), cce::at(s, cce::L1))
CCE_COPY(copy_ubuf_to_cbuf, cce::at(d, cce::L1), cce::at(s, cce::UB))

inline void set_fmatrix(uint64_t bits) { cce::image = bits; }
inline void set_fcol2img(uint64_t bits) { cce::output = bits; }
inline void set_padding(uint16_t bits) { cce::padding = bits; }

namespace cce {

struct Windows {
    int width, height, left, right, top, bottom;
    explicit Windows(uint64_t bits)
        : width(int(bits & 0xffff)), height(int(bits >> 16 & 0xffff)), left(int(bits >> 32 & 0xff)),
          right(int(bits >> 40 & 0xff)), top(int(bits >> 48 & 0xff)), bottom(int(bits >> 56 & 0xff)) {}
};

// Visits 16 windows for each fractal; calls f(row, block of the image or -1, is a window).
template <class F>
void visit(const Windows &w, int kw, int kh, int left, int top, int channel, int sw, int sh, int width,
           int height, int dw, int dh, int fractals, F f) {
    int x = left, y = top;
    const int reach_x = (width - 1) * dw, reach_y = (height - 1) * dh;
    for (int row = 0; row < 16 * fractals; row++) {
        const bool real = x + reach_x < w.width + w.right && y + reach_y < w.height + w.bottom;
        const int px = x + kw * dw, py = y + kh * dh;
        const bool inside = px >= 0 && px < w.width && py >= 0 && py < w.height;
        f(row, real && inside ? (channel * w.height + py) * w.width + px : -1, real);
        x += sw;
        if (x + reach_x >= w.width + w.right) x = -w.left, y += sh;
    }
}

}  // namespace cce

template <class T>
void img2col_cbuf_to_ub(T *dst, T *src, int kw, int kh, int left, int top, int channel, int sw, int sh,
                        int width, int height, int dw, int dh, int jump, int mode, int repeat, int) {
    char *to = (char *)cce::at(dst, cce::UB);
    const char *from = (const char *)cce::at(src, cce::L1);
    const cce::Windows w(cce::image);
    char pad[32];
    for (int k = 0; k < 32; k += 2) std::memcpy(pad + k, &cce::padding, 2);
    for (int r = 0; r < (mode ? 1 : repeat); r++) {
        cce::visit(w, kw, kh, left, top, channel, sw, sh, width, height, dw, dh, mode ? repeat : 1,
                   [&](int row, int block, bool) {
                       char *place = to + (row / 16 * jump * 16 + row % 16) * 32;
                       std::memcpy(place, block < 0 ? pad : from + size_t(block) * 32, 32);
                   });
        to += 512;
        if (++kw == width && (kw = 0, ++kh == height)) kh = 0, channel++;
    }
}
template <class T> void img2col_cbuf_to_ub(T *dst, T *src, uint64_t m, uint64_t t, int size) {
    const int jump = int(t >> 44 & 0x7f);
    img2col_cbuf_to_ub(dst, src, int(m >> 16 & 0xff), int(m >> 24 & 0xff), int16_t(m >> 32), int16_t(m >> 48),
                       int(m & 0xfff), int(t & 0x3f), int(t >> 6 & 0x3f), int(t >> 12 & 0xff),
                       int(t >> 20 & 0xff), int(t >> 28 & 0xff), int(t >> 36 & 0xff), jump ? jump : 1,
                       int(t >> 52 & 1), int(t >> 56 & 0xff), size);
}
template <class T> void col2img(T *dst, T *src, uint64_t m, uint64_t t) {
    dst = cce::at(dst, cce::UB), src = cce::at(src, cce::UB);
    cce::visit(cce::Windows(cce::output), int(m >> 16 & 0xff), int(m >> 24 & 0xff), int16_t(m >> 32),
               int16_t(m >> 48), int(m & 0xfff), int(t & 0x3f), int(t >> 6 & 0x3f), int(t >> 12 & 0xff),
               int(t >> 20 & 0xff), int(t >> 28 & 0xff), int(t >> 36 & 0xff), int(t >> 56 & 0xff),
               [&](int row, int block, bool) {
                   if (block < 0) return;
                   for (int k = 0; k < 16; k++)
                       dst[block * 16 + k] = T(dst[block * 16 + k] + src[row * 16 + k]);
               });
}

inline int block_idx = 0, block_num = 1;
inline int get_block_idx() { return block_idx; }
inline int get_block_num() { return block_num; }
template <class T> T get_imm(T value) { return value; }
