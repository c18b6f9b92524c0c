/* The intrinsics of the AI Engine (AIE1) that s2s uses, in portable C++17.
 *
 * A kernel for the AI Engine includes this header and compiles with g++ into a program that computes
 * what the machine computes, bit for bit; on the machine's own compiler the header is empty and the
 * intrinsics are the compiler's. Nothing here is fast.
 *
 * Vectors are structures of lanes, aligned to 128 bits as loads and stores have to be; sums of 48 bits
 * are kept in 64, those of 80 in 128, wrapped after every operation. What is undefined is filled with
 * a pattern, so that its use shows as a wrong result. S2S_AIE_CHECK, if defined, is called as
 * S2S_AIE_CHECK(condition, text) where the machine (or its compiler) would refuse an argument.
 */
#ifndef S2S_AIE_INTRINSICS_H
#define S2S_AIE_INTRINSICS_H

#if !defined(__AIENGINE__) && !defined(__chess__)

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <type_traits>

#ifndef S2S_AIE_CHECK
#define S2S_AIE_CHECK(condition, text) \
    ((condition) ? (void)0 : (std::fprintf(stderr, "aie: %s\n", text), std::abort()))
#endif

#ifndef restrict
#define restrict __restrict
#endif

/* Loop directives of the machine's compiler; they stand between the ')' of a loop and its body. */
#define chess_prepare_for_pipelining
#define chess_loop_range(...)
#define chess_unroll_loop(...)
#define chess_flatten_loop
#define chess_no_hw_loop
#define chess_loop_count(...)
#define chess_modulo_scheduling_budget_ratio(...)
#define chess_storage(...)
#define chess_separator() ((void)0)
#define chess_separator_scheduler(...) ((void)0)
#define chess_protect_access
#define chess_keep_in_loop

namespace s2s_aie {

template <class T, int N>
struct __attribute__((may_alias, aligned(16))) Vector {
    T lane[N];
};

/* Lanes of 48 bits (in 64) or of 80 bits (in 128). */
template <int N, int Bits>
struct alignas(16) Accumulator {
    __int128 lane[N];
};

/* Complex lanes: two sums each. */
template <int N, int Bits>
struct alignas(16) ComplexAccumulator {
    Accumulator<N, Bits> real, imag;
};

template <class T>
struct Complex {
    T real, imag;
};

template <int Bits>
inline __int128 wrapped(__int128 value) {
    const int unused = 128 - Bits;
    return (__int128)((unsigned __int128)value << unused) >> unused;
}

inline int digit(unsigned long long digits, int k) { return (int)(digits >> (4 * k)) & 15; }

inline int around(long long index, int count) {
    const int rest = (int)(index % count);
    return rest < 0 ? rest + count : rest;
}

template <class T>
inline T undefined() {
    T value;
    std::memset((void *)&value, 0xa5, sizeof value);
    return value;
}

/* ---- Parts of registers: w is 256 bits, v 128, x 512. ---- */

template <int Bits, class T, int N, int M>
__attribute__((noinline)) Vector<T, N> update(Vector<T, N> vector, int index, const Vector<T, M> &part) {
    static_assert(M * 8 * (int)sizeof(T) == Bits, "the part has another width");
    S2S_AIE_CHECK(index >= 0 && (index + 1) * M <= N, "no such part of a register");
    for (int i = 0; i < M; i++) vector.lane[index * M + i] = part.lane[i];
    return vector;
}

template <int Bits, class T, int N>
inline Vector<T, Bits / (8 * (int)sizeof(T))> extract(const Vector<T, N> &vector, int index) {
    const int count = Bits / (8 * (int)sizeof(T));
    S2S_AIE_CHECK(index >= 0 && (index + 1) * count <= N, "no such part of a register");
    Vector<T, Bits / (8 * (int)sizeof(T))> part;
    for (int i = 0; i < count; i++) part.lane[i] = vector.lane[index * count + i];
    return part;
}

/* ---- The datapath ---- */

/* Which elements of X and Z the multiplier of a lane and column takes. */

/* 32-bit elements: any element for any lane. */
struct Whole {
    int start, step;
    unsigned long long offsets;
    int operator()(int lane, int column) const {
        return start + digit(offsets, lane) + column * step;
    }
};

/* 16-bit X: two lanes share two words of 32 bits, of which the square picks. */
struct Pairs {
    int start, step;
    unsigned long long offsets;
    unsigned square;
    int operator()(int lane, int column) const {
        const int pair = lane & ~1;
        const int even = digit(offsets, pair);
        const int odd = even + digit(offsets, pair + 1) + 1;
        const int pick = digit(square, 2 * (lane & 1) + (column & 1));
        return start + (column >> 1) * step + 2 * (pick < 2 ? even : odd) + (pick & 1);
    }
};

/* 8-bit X: four lanes share two words of 32 bits, in units of 16. */
struct Quads {
    int start, step;
    unsigned long long offsets;
    unsigned square;
    int operator()(int lane, int column) const {
        const int quad = lane >> 2;
        const int even = digit(offsets, 2 * quad);
        const int odd = even + digit(offsets, 2 * quad + 1) + 1;
        const int unit = digit(square, 2 * ((lane >> 1) & 1) + (column & 1));
        const int word = 4 * (unit < 2 ? even : odd);
        return start + (column >> 1) * step + word + 2 * (unit & 1) + (lane & 1);
    }
};

/* 8-bit Z: four lanes share two units of 16 bits, both given by themselves. */
struct Units {
    int start, step;
    unsigned long long offsets;
    unsigned square;
    int operator()(int lane, int column) const {
        const int quad = lane >> 2;
        const int pick = digit(square, 2 * (lane & 1) + (column & 1));
        const int unit = digit(offsets, 2 * quad + (pick < 2 ? 0 : 1));
        return start + (column >> 1) * step + 2 * unit + (pick & 1);
    }
};

/* 8-bit Z beside 16-bit X: two lanes share two units of 16 bits, both given by themselves. */
struct PairsOfUnits {
    int start, step;
    unsigned long long offsets;
    unsigned square;
    int operator()(int lane, int column) const {
        const int pick = digit(square, 2 * (lane & 1) + (column & 1));
        const int unit = digit(offsets, (lane & ~1) + (pick < 2 ? 0 : 1));
        return start + (column >> 1) * step + 2 * unit + (pick & 1);
    }
};

inline Whole whole(int start, int step, unsigned long long offsets) {
    return Whole{start, step, offsets};
}

inline Pairs pairs(int start, int step, unsigned long long offsets, unsigned square) {
    S2S_AIE_CHECK(start % 2 == 0 && step % 2 == 0, "start or step in 16-bit X is odd");
    return Pairs{start, step, offsets, square};
}

inline Quads quads(int start, int step, unsigned long long offsets, unsigned square) {
    S2S_AIE_CHECK(start % 4 == 0 && step % 4 == 0, "start or step in 8-bit X is no multiple of 4");
    return Quads{start, step, offsets, square};
}

inline Units units(int start, int step, unsigned long long offsets, unsigned square) {
    S2S_AIE_CHECK(start % 2 == 0 && step % 2 == 0, "start or step in 8-bit Z is odd");
    return Units{start, step, offsets, square};
}

inline PairsOfUnits pairs_of_units(int start, int step, unsigned long long offsets,
                                   unsigned square) {
    S2S_AIE_CHECK(start % 2 == 0 && step % 2 == 0, "start or step in 8-bit Z is odd");
    return PairsOfUnits{start, step, offsets, square};
}

template <int Columns, int Lanes, int Bits, class T, int N, class U, int M, class X, class Z>
__attribute__((noinline)) Accumulator<Lanes, Bits> accumulate(Accumulator<Lanes, Bits> sum, int sign,
                                           const Vector<T, N> &x, const X &of_x,
                                           const Vector<U, M> &z, const Z &of_z) {
    static_assert(N * sizeof(T) == 64 || N * sizeof(T) == 128, "X has 512 or 1024 bits");
    static_assert(M * sizeof(U) == 32 || (M * sizeof(U) == 64 && Columns == 1), "Z has 256 bits");
    for (int lane = 0; lane < Lanes; lane++) {
        __int128 value = sum.lane[lane];
        for (int column = 0; column < Columns; column++)
            value += sign * ((__int128)x.lane[around(of_x(lane, column), N)] *
                             z.lane[around(of_z(lane, column), M)]);
        sum.lane[lane] = wrapped<Bits>(value);
    }
    return sum;
}

inline unsigned long long both(unsigned low, unsigned high) {
    return low | (unsigned long long)high << 32;
}

template <class T>
struct Is {
    static const int bits = 8 * (int)sizeof(T);
};

template <bool Condition>
struct Enabled {};
template <>
struct Enabled<true> {
    typedef int type;
};
template <class T, class U, int X, int Z>
using If = typename Enabled<Is<T>::bits == X && Is<U>::bits == Z>::type;

/* ---- Shifting, rounding and saturating ---- */

struct Modes {
    int rounding = 0;
    bool saturation = false;
};
inline Modes &modes() {
    static Modes the;
    return the;
}

inline __int128 rounded(__int128 value, int shift) {
    if (shift <= 0) return value * ((__int128)1 << -shift);
    const __int128 floor = value >> shift;
    const __int128 rest = value - floor * ((__int128)1 << shift);
    const __int128 half = (__int128)1 << (shift - 1);
    if (modes().rounding == 1) return rest != 0 ? floor + 1 : floor;
    if (modes().rounding == 0 || rest < half) return floor;
    if (rest > half) return floor + 1;
    switch (modes().rounding) {
        case 2: return floor + 1;
        case 3: return floor;
        case 4: return value < 0 ? floor : floor + 1;
        case 5: return value < 0 ? floor + 1 : floor;
        case 6: return floor & 1 ? floor + 1 : floor;
        default: return floor & 1 ? floor : floor + 1;
    }
}

template <class T, int N, int Bits>
inline Vector<T, N> narrowed(const Accumulator<N, Bits> &sum, int shift) {
    S2S_AIE_CHECK(shift >= -1 && shift <= 62, "the shift of srs is not within -1 .. 62");
    const int width = Is<T>::bits;
    const bool is_signed = (T)-1 < 0;
    const __int128 most = ((__int128)1 << (is_signed ? width - 1 : width)) - 1;
    const __int128 least = is_signed ? -most - 1 : 0;
    Vector<T, N> result;
    for (int lane = 0; lane < N; lane++) {
        __int128 value = rounded(sum.lane[lane], shift);
        if (modes().saturation) value = value > most ? most : value < least ? least : value;
        result.lane[lane] = (T)value;
    }
    return result;
}

template <int Bits, class T, int N>
inline Accumulator<N, Bits> widened(const Vector<T, N> &vector, int shift) {
    Accumulator<N, Bits> sum;
    for (int lane = 0; lane < N; lane++)
        sum.lane[lane] = wrapped<Bits>(vector.lane[lane] * ((__int128)1 << shift));
    return sum;
}

} // namespace s2s_aie

/* ---- Types, undefined and zero registers ---- */

#define S2S_AIE_REGISTER(name, ...)                                                   \
    typedef __VA_ARGS__ name;                                                         \
    inline name undef_##name() { return s2s_aie::undefined<name>(); }                 \
    inline name null_##name() { return name{}; }

S2S_AIE_REGISTER(v4int32, s2s_aie::Vector<int32_t, 4>)
S2S_AIE_REGISTER(v8int32, s2s_aie::Vector<int32_t, 8>)
S2S_AIE_REGISTER(v16int32, s2s_aie::Vector<int32_t, 16>)
S2S_AIE_REGISTER(v32int32, s2s_aie::Vector<int32_t, 32>)
S2S_AIE_REGISTER(v4int64, s2s_aie::Vector<int64_t, 4>)
S2S_AIE_REGISTER(v8int64, s2s_aie::Vector<int64_t, 8>)
S2S_AIE_REGISTER(v8int16, s2s_aie::Vector<int16_t, 8>)
S2S_AIE_REGISTER(v16int16, s2s_aie::Vector<int16_t, 16>)
S2S_AIE_REGISTER(v32int16, s2s_aie::Vector<int16_t, 32>)
S2S_AIE_REGISTER(v64int16, s2s_aie::Vector<int16_t, 64>)
S2S_AIE_REGISTER(v16int8, s2s_aie::Vector<int8_t, 16>)
S2S_AIE_REGISTER(v32int8, s2s_aie::Vector<int8_t, 32>)
S2S_AIE_REGISTER(v64int8, s2s_aie::Vector<int8_t, 64>)
S2S_AIE_REGISTER(v128int8, s2s_aie::Vector<int8_t, 128>)
S2S_AIE_REGISTER(v16uint8, s2s_aie::Vector<uint8_t, 16>)
S2S_AIE_REGISTER(v32uint8, s2s_aie::Vector<uint8_t, 32>)
S2S_AIE_REGISTER(v64uint8, s2s_aie::Vector<uint8_t, 64>)
S2S_AIE_REGISTER(v128uint8, s2s_aie::Vector<uint8_t, 128>)
S2S_AIE_REGISTER(v4float, s2s_aie::Vector<float, 4>)
S2S_AIE_REGISTER(v8float, s2s_aie::Vector<float, 8>)
S2S_AIE_REGISTER(v16float, s2s_aie::Vector<float, 16>)
S2S_AIE_REGISTER(v32float, s2s_aie::Vector<float, 32>)
typedef s2s_aie::Complex<int16_t> cint16;
typedef s2s_aie::Complex<int16_t> cint16_t;
S2S_AIE_REGISTER(v4cint16, s2s_aie::Vector<cint16, 4>)
S2S_AIE_REGISTER(v8cint16, s2s_aie::Vector<cint16, 8>)
S2S_AIE_REGISTER(v16cint16, s2s_aie::Vector<cint16, 16>)
S2S_AIE_REGISTER(v32cint16, s2s_aie::Vector<cint16, 32>)
S2S_AIE_REGISTER(v4cacc48, s2s_aie::ComplexAccumulator<4, 48>)
S2S_AIE_REGISTER(v8cacc48, s2s_aie::ComplexAccumulator<8, 48>)
S2S_AIE_REGISTER(v4acc80, s2s_aie::Accumulator<4, 80>)
S2S_AIE_REGISTER(v8acc80, s2s_aie::Accumulator<8, 80>)
S2S_AIE_REGISTER(v8acc48, s2s_aie::Accumulator<8, 48>)
S2S_AIE_REGISTER(v16acc48, s2s_aie::Accumulator<16, 48>)

/* ---- Parts ---- */

#define S2S_AIE_PART(letter, width)                                                             \
    template <class T, int N, int M>                                                            \
    inline s2s_aie::Vector<T, N> upd_##letter(s2s_aie::Vector<T, N> vector, int index,          \
                                              s2s_aie::Vector<T, M> part) {                     \
        return s2s_aie::update<width>(vector, index, part);                                     \
    }                                                                                           \
    template <class T, int N>                                                                   \
    inline s2s_aie::Vector<T, width / (8 * (int)sizeof(T))> ext_##letter(                       \
        s2s_aie::Vector<T, N> vector, int index) {                                              \
        return s2s_aie::extract<width>(vector, index);                                          \
    }

S2S_AIE_PART(v, 128)
S2S_AIE_PART(w, 256)
S2S_AIE_PART(x, 512)

template <class T, int N>
inline s2s_aie::Vector<T, 2 * N> concat(s2s_aie::Vector<T, N> low, s2s_aie::Vector<T, N> high) {
    s2s_aie::Vector<T, 2 * N> all;
    for (int i = 0; i < N; i++) all.lane[i] = low.lane[i], all.lane[N + i] = high.lane[i];
    return all;
}

template <class T, int N>
inline s2s_aie::Vector<T, 4 * N> concat(s2s_aie::Vector<T, N> a, s2s_aie::Vector<T, N> b,
                                        s2s_aie::Vector<T, N> c, s2s_aie::Vector<T, N> d) {
    return concat(concat(a, b), concat(c, d));
}

template <class T, int N>
inline T ext_elem(s2s_aie::Vector<T, N> vector, int index) {
    S2S_AIE_CHECK(index >= 0 && index < N, "no such lane");
    return vector.lane[index];
}

template <class T, int N>
inline s2s_aie::Vector<T, N> upd_elem(s2s_aie::Vector<T, N> vector, int index, T scalar) {
    S2S_AIE_CHECK(index >= 0 && index < N, "no such lane");
    vector.lane[index] = scalar;
    return vector;
}

template <class T, int N>
inline s2s_aie::Vector<T, N> shft_elem(s2s_aie::Vector<T, N> vector, T scalar) {
    for (int i = N - 1; i > 0; i--) vector.lane[i] = vector.lane[i - 1];
    vector.lane[0] = scalar;
    return vector;
}

/* A register of which one part is set: wset_v, xset_w and so on. */
#define S2S_AIE_SET(name, whole, width)                                                         \
    template <class T, int M>                                                                   \
    inline s2s_aie::Vector<T, whole / (8 * (int)sizeof(T))> name(int index,                     \
                                                                 s2s_aie::Vector<T, M> part) {  \
        return s2s_aie::update<width>(                                                          \
            s2s_aie::undefined<s2s_aie::Vector<T, whole / (8 * (int)sizeof(T))>>(), index, part); \
    }
S2S_AIE_SET(wset_v, 256, 128)
S2S_AIE_SET(xset_v, 512, 128)
S2S_AIE_SET(xset_w, 512, 256)
S2S_AIE_SET(yset_v, 1024, 128)
S2S_AIE_SET(yset_w, 1024, 256)
S2S_AIE_SET(yset_x, 1024, 512)

/* Halves of accumulators. */
template <int N, int Bits>
inline s2s_aie::Accumulator<N, Bits> upd_lo(s2s_aie::Accumulator<N, Bits> sum,
                                            s2s_aie::Accumulator<N / 2, Bits> half) {
    for (int i = 0; i < N / 2; i++) sum.lane[i] = half.lane[i];
    return sum;
}
template <int N, int Bits>
inline s2s_aie::Accumulator<N, Bits> upd_hi(s2s_aie::Accumulator<N, Bits> sum,
                                            s2s_aie::Accumulator<N / 2, Bits> half) {
    for (int i = 0; i < N / 2; i++) sum.lane[N / 2 + i] = half.lane[i];
    return sum;
}
template <int N, int Bits>
inline s2s_aie::Accumulator<N / 2, Bits> ext_lo(s2s_aie::Accumulator<N, Bits> sum) {
    s2s_aie::Accumulator<N / 2, Bits> half;
    for (int i = 0; i < N / 2; i++) half.lane[i] = sum.lane[i];
    return half;
}
template <int N, int Bits>
inline s2s_aie::Accumulator<N / 2, Bits> ext_hi(s2s_aie::Accumulator<N, Bits> sum) {
    s2s_aie::Accumulator<N / 2, Bits> half;
    for (int i = 0; i < N / 2; i++) half.lane[i] = sum.lane[N / 2 + i];
    return half;
}
template <int N, int Bits>
inline s2s_aie::Accumulator<2 * N, Bits> concat(s2s_aie::Accumulator<N, Bits> low,
                                                s2s_aie::Accumulator<N, Bits> high) {
    return upd_hi(upd_lo(s2s_aie::Accumulator<2 * N, Bits>{}, low), high);
}

/* Operators on whole vectors, and on an accumulator and a vector. */
#define S2S_AIE_OPERATOR(op)                                                                     \
    template <class T, int N>                                                                   \
    inline s2s_aie::Vector<T, N> operator op(s2s_aie::Vector<T, N> a, s2s_aie::Vector<T, N> b) { \
        for (int i = 0; i < N; i++) {                                                           \
            if constexpr (std::is_floating_point<T>::value) a.lane[i] = a.lane[i] op b.lane[i];  \
            else a.lane[i] = (T)((long long)a.lane[i] op (long long)b.lane[i]);                  \
        }                                                                                       \
        return a;                                                                               \
    }                                                                                           \
    template <class T, int N, int Bits>                                                         \
    inline s2s_aie::Accumulator<N, Bits> operator op(s2s_aie::Accumulator<N, Bits> a,           \
                                                     s2s_aie::Vector<T, N> b) {                 \
        static_assert(s2s_aie::Is<T>::bits == (Bits == 48 ? 16 : 32), "another vector is added"); \
        for (int i = 0; i < N; i++)                                                             \
            a.lane[i] = s2s_aie::wrapped<Bits>(a.lane[i] op (__int128)b.lane[i]);               \
        return a;                                                                               \
    }
namespace s2s_aie {
S2S_AIE_OPERATOR(+)
S2S_AIE_OPERATOR(-)
} // namespace s2s_aie

/* ---- Multiplications ---- */

/* One intrinsic in its four forms: a new sum, a new negative one, added to a sum, subtracted.
 * PARAMETERS is a list in parentheses; SELECT_X and SELECT_Z make the selections of both operands. */
#define S2S_AIE_LIST(...) __VA_ARGS__
#define S2S_AIE_COMMA ,
#define S2S_AIE_FORM(name, FIRST, sum, sign, columns, acc, xbits, zbits, PARAMETERS, SELECT_X, \
                     SELECT_Z)                                                                  \
    template <class T, int N, class U, int M, s2s_aie::If<T, U, xbits, zbits> = 0>              \
    inline acc name(FIRST S2S_AIE_LIST PARAMETERS) {                                            \
        return s2s_aie::accumulate<columns>(sum, sign, x, s2s_aie::SELECT_X, z,                 \
                                            s2s_aie::SELECT_Z);                                 \
    }
#define S2S_AIE_MULTIPLY(letter, lanes, columns, acc, xbits, zbits, PARAMETERS, SELECT_X, SELECT_Z) \
    S2S_AIE_FORM(letter##mul##lanes, , acc{}, 1, columns, acc, xbits, zbits, PARAMETERS, SELECT_X,  \
                 SELECT_Z)                                                                          \
    S2S_AIE_FORM(letter##negmul##lanes, , acc{}, -1, columns, acc, xbits, zbits, PARAMETERS,        \
                 SELECT_X, SELECT_Z)                                                                \
    S2S_AIE_FORM(letter##mac##lanes, acc sum S2S_AIE_COMMA, sum, 1, columns, acc, xbits, zbits,     \
                 PARAMETERS, SELECT_X, SELECT_Z)                                                    \
    S2S_AIE_FORM(letter##msc##lanes, acc sum S2S_AIE_COMMA, sum, -1, columns, acc, xbits, zbits,    \
                 PARAMETERS, SELECT_X, SELECT_Z)

#define S2S_AIE_X s2s_aie::Vector<T, N> x, int xstart, unsigned xoffsets
#define S2S_AIE_Z s2s_aie::Vector<U, M> z, int zstart, unsigned zoffsets

S2S_AIE_MULTIPLY(l, 8, 1, v8acc80, 32, 32, (S2S_AIE_X, S2S_AIE_Z), whole(xstart, 0, xoffsets),
                 whole(zstart, 0, zoffsets))
S2S_AIE_MULTIPLY(l, 4, 2, v4acc80, 32, 32, (S2S_AIE_X, int xstep, S2S_AIE_Z, int zstep),
                 whole(xstart, xstep, xoffsets), whole(zstart, zstep, zoffsets))
S2S_AIE_MULTIPLY(l, 8, 2, v8acc80, 32, 16, (S2S_AIE_X, int xstep, S2S_AIE_Z, int zstep),
                 whole(xstart, xstep, xoffsets), whole(zstart, zstep, zoffsets))
S2S_AIE_MULTIPLY(, 16, 2, v16acc48, 16, 16,
                 (S2S_AIE_X, unsigned xoffsets_hi, unsigned xsquare, S2S_AIE_Z,
                  unsigned zoffsets_hi, int zstep),
                 pairs(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi), xsquare),
                 whole(zstart, zstep, s2s_aie::both(zoffsets, zoffsets_hi)))
S2S_AIE_MULTIPLY(, 8, 4, v8acc48, 16, 16,
                 (S2S_AIE_X, int xstep, unsigned xsquare, S2S_AIE_Z, int zstep),
                 pairs(xstart, xstep, xoffsets, xsquare), whole(zstart, zstep, zoffsets))
S2S_AIE_MULTIPLY(, 16, 4, v16acc48, 16, 8,
                 (S2S_AIE_X, unsigned xoffsets_hi, int xstep, unsigned xsquare, S2S_AIE_Z,
                  unsigned zoffsets_hi, int zstep, unsigned zsquare),
                 pairs(xstart, xstep, s2s_aie::both(xoffsets, xoffsets_hi), xsquare),
                 pairs_of_units(zstart, zstep, s2s_aie::both(zoffsets, zoffsets_hi), zsquare))
S2S_AIE_MULTIPLY(, 16, 8, v16acc48, 8, 8,
                 (S2S_AIE_X, int xstep, unsigned xsquare, S2S_AIE_Z, int zstep, unsigned zsquare),
                 quads(xstart, xstep, xoffsets, xsquare), units(zstart, zstep, zoffsets, zsquare))

/* The pre-adder: elements of Y (or of X itself) are added to those of X, or taken off them. They
 * stand backwards: Y has the step with the other sign, and a square of its own. */
namespace s2s_aie {
template <int Columns, int Lanes, int Bits, class T, int N, class U, int M, class X, class Z>
inline Accumulator<Lanes, Bits> folded(Accumulator<Lanes, Bits> sum, int sign, int fold,
                                       const Vector<T, N> &x, const X &of_x,
                                       const Vector<T, N> &y, const X &of_y,
                                       const Vector<U, M> &z, const Z &of_z) {
    static_assert(N * sizeof(T) == 64 || N * sizeof(T) == 128, "X has 512 or 1024 bits");
    static_assert(M * sizeof(U) == 32, "Z has 256 bits");
    for (int lane = 0; lane < Lanes; lane++) {
        __int128 value = sum.lane[lane];
        for (int column = 0; column < Columns; column++)
            value += sign *
                     ((__int128)x.lane[around(of_x(lane, column), N)] +
                      fold * (__int128)y.lane[around(of_y(lane, column), N)]) *
                     z.lane[around(of_z(lane, column), M)];
        sum.lane[lane] = wrapped<Bits>(value);
    }
    return sum;
}
} // namespace s2s_aie

#define S2S_AIE_FOLDED(name, FIRST, sum, sign, fold, columns, acc, xbits, zbits, X, Y, Z, y,        \
                       SELECT_X, SELECT_Y, SELECT_Z)                                                \
    template <class T, int N, class U, int M, s2s_aie::If<T, U, xbits, zbits> = 0>                  \
    inline acc name(FIRST S2S_AIE_LIST X, S2S_AIE_LIST Y, S2S_AIE_LIST Z) {                         \
        return s2s_aie::folded<columns>(sum, sign, fold, x, s2s_aie::SELECT_X, y,                   \
                                        s2s_aie::SELECT_Y, z, s2s_aie::SELECT_Z);                   \
    }
#define S2S_AIE_FOLD_WAYS(letter, lanes, columns, acc, xbits, zbits, X, Y, Z, y, SELECT_X,          \
                          SELECT_Y, SELECT_Z, ending, fold)                                         \
    S2S_AIE_FOLDED(letter##mul##lanes##ending, , acc{}, 1, fold, columns, acc, xbits, zbits, X, Y,  \
                   Z, y, SELECT_X, SELECT_Y, SELECT_Z)                                              \
    S2S_AIE_FOLDED(letter##negmul##lanes##ending, , acc{}, -1, fold, columns, acc, xbits, zbits, X, \
                   Y, Z, y, SELECT_X, SELECT_Y, SELECT_Z)                                           \
    S2S_AIE_FOLDED(letter##mac##lanes##ending, acc sum S2S_AIE_COMMA, sum, 1, fold, columns, acc,   \
                   xbits, zbits, X, Y, Z, y, SELECT_X, SELECT_Y, SELECT_Z)                          \
    S2S_AIE_FOLDED(letter##msc##lanes##ending, acc sum S2S_AIE_COMMA, sum, -1, fold, columns, acc,  \
                   xbits, zbits, X, Y, Z, y, SELECT_X, SELECT_Y, SELECT_Z)
#define S2S_AIE_FOLD(letter, lanes, columns, acc, xbits, zbits, X, Y, Z, SELECT_X, SELECT_Y,        \
                     SELECT_Z, ending, fold)                                                        \
    S2S_AIE_FOLD_WAYS(letter, lanes, columns, acc, xbits, zbits, X, Y, Z, x, SELECT_X, SELECT_Y,    \
                      SELECT_Z, ending, fold)                                                       \
    S2S_AIE_FOLD_WAYS(letter, lanes, columns, acc, xbits, zbits, X,                                 \
                      (s2s_aie::Vector<T, N> y, S2S_AIE_LIST Y), Z, y, SELECT_X, SELECT_Y,          \
                      SELECT_Z, ending, fold)
#define S2S_AIE_FOLDS(ending, fold)                                                                 \
    S2S_AIE_FOLD(l, 8, 2, v8acc80, 32, 16, (S2S_AIE_X, int xstep), (int ystart),                    \
                 (S2S_AIE_Z, int zstep), whole(xstart, xstep, xoffsets),                            \
                 whole(ystart, -xstep, xoffsets), whole(zstart, zstep, zoffsets), ending, fold)     \
    S2S_AIE_FOLD(, 16, 2, v16acc48, 16, 16, (S2S_AIE_X, unsigned xoffsets_hi, unsigned xsquare),    \
                 (int ystart, unsigned ysquare), (S2S_AIE_Z, unsigned zoffsets_hi, int zstep),      \
                 pairs(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi), xsquare),                   \
                 pairs(ystart, 0, s2s_aie::both(xoffsets, xoffsets_hi), ysquare),                   \
                 whole(zstart, zstep, s2s_aie::both(zoffsets, zoffsets_hi)), ending, fold)          \
    S2S_AIE_FOLD(, 8, 4, v8acc48, 16, 16, (S2S_AIE_X, int xstep, unsigned xsquare),                 \
                 (int ystart, unsigned ysquare), (S2S_AIE_Z, int zstep),                            \
                 pairs(xstart, xstep, xoffsets, xsquare), pairs(ystart, -xstep, xoffsets, ysquare), \
                 whole(zstart, zstep, zoffsets), ending, fold)
S2S_AIE_FOLDS(_sym, 1)
S2S_AIE_FOLDS(_antisym, -1)

/* ---- Additions of vectors: 16 lanes of 32 bits ---- */

namespace s2s_aie {
template <int N>
inline Vector<int32_t, 16> added(const Vector<int32_t, N> &x, const Whole &of_x,
                                 const Vector<int32_t, 16> &y, const Whole &of_y, unsigned sign) {
    Vector<int32_t, 16> result;
    for (int i = 0; i < 16; i++)
        result.lane[i] = (int32_t)((unsigned)x.lane[around(of_x(i, 0), N)] +
                                   sign * (unsigned)y.lane[around(of_y(i, 0), 16)]);
    return result;
}
} // namespace s2s_aie

#define S2S_AIE_ADD(name, sign)                                                                 \
    inline v16int32 name(v16int32 x, v16int32 y) {                                              \
        const unsigned long long in_order = 0xfedcba9876543210u;                                \
        return s2s_aie::added(x, s2s_aie::whole(0, 0, in_order), y,                             \
                              s2s_aie::whole(0, 0, in_order), sign);                            \
    }                                                                                           \
    template <int N>                                                                            \
    inline v16int32 name(s2s_aie::Vector<int32_t, N> x, int xstart, unsigned xoffsets,          \
                         unsigned xoffsets_hi, v16int32 y, int ystart, unsigned yoffsets,       \
                         unsigned yoffsets_hi) {                                                \
        return s2s_aie::added(                                                                  \
            x, s2s_aie::whole(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi)), y,              \
            s2s_aie::whole(ystart, 0, s2s_aie::both(yoffsets, yoffsets_hi)), sign);             \
    }
S2S_AIE_ADD(add16, 1u)
S2S_AIE_ADD(sub16, -1u)

#define S2S_AIE_EXTREMUM(name, op)                                                              \
    template <int N>                                                                            \
    inline v16int32 name(s2s_aie::Vector<int32_t, N> x, int xstart, unsigned xoffsets,          \
                         unsigned xoffsets_hi, v16int32 y, int ystart, unsigned yoffsets,       \
                         unsigned yoffsets_hi) {                                                \
        const unsigned long long xs = s2s_aie::both(xoffsets, xoffsets_hi);                     \
        const unsigned long long ys = s2s_aie::both(yoffsets, yoffsets_hi);                     \
        v16int32 result;                                                                        \
        for (int i = 0; i < 16; i++) {                                                          \
            const int32_t a = x.lane[s2s_aie::around(xstart + s2s_aie::digit(xs, i), N)];       \
            const int32_t b = y.lane[s2s_aie::around(ystart + s2s_aie::digit(ys, i), 16)];      \
            result.lane[i] = a op b ? a : b;                                                    \
        }                                                                                       \
        return result;                                                                          \
    }                                                                                           \
    inline v16int32 name(v16int32 x, v16int32 y) {                                              \
        return name(x, 0, 0x76543210, 0xfedcba98, y, 0, 0x76543210, 0xfedcba98);                \
    }
S2S_AIE_EXTREMUM(max16, >)
S2S_AIE_EXTREMUM(min16, <)

template <int N>
inline unsigned gt16(s2s_aie::Vector<int32_t, N> x, int xstart, unsigned xoffsets,
                     unsigned xoffsets_hi, v16int32 y, int ystart, unsigned yoffsets,
                     unsigned yoffsets_hi) {
    const s2s_aie::Whole of_x = s2s_aie::whole(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi));
    const s2s_aie::Whole of_y = s2s_aie::whole(ystart, 0, s2s_aie::both(yoffsets, yoffsets_hi));
    unsigned bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= (unsigned)(x.lane[s2s_aie::around(of_x(i, 0), N)] >
                           y.lane[s2s_aie::around(of_y(i, 0), 16)])
                << i;
    return bits;
}
inline unsigned gt16(v16int32 x, v16int32 y) {
    return gt16(x, 0, 0x76543210, 0xfedcba98, y, 0, 0x76543210, 0xfedcba98);
}

/* 32 lanes of 16 bits, picked as the columns of 16 lanes are in a product. */
template <int N>
inline v32int16 shuffle32(s2s_aie::Vector<int16_t, N> x, int xstart, unsigned xoffsets,
                          unsigned xoffsets_hi, unsigned xsquare) {
    const s2s_aie::Pairs of_x =
        s2s_aie::pairs(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi), xsquare);
    v32int16 result;
    for (int i = 0; i < 32; i++)
        result.lane[i] = x.lane[s2s_aie::around(of_x(i >> 1, i & 1), N)];
    return result;
}

inline v32int16 select32(unsigned bits, v32int16 x, v32int16 y) {
    for (int i = 0; i < 32; i++) x.lane[i] = bits >> i & 1 ? y.lane[i] : x.lane[i];
    return x;
}
template <int N, int M>
inline v32int16 select32(unsigned bits, s2s_aie::Vector<int16_t, N> x, int xstart,
                         unsigned xoffsets, unsigned xoffsets_hi, unsigned xsquare,
                         s2s_aie::Vector<int16_t, M> y, int ystart, unsigned yoffsets,
                         unsigned yoffsets_hi, unsigned ysquare) {
    return select32(bits, shuffle32(x, xstart, xoffsets, xoffsets_hi, xsquare),
                    shuffle32(y, ystart, yoffsets, yoffsets_hi, ysquare));
}
template <int N>
inline v32int16 select32(unsigned bits, s2s_aie::Vector<int16_t, N> x, int xstart,
                         unsigned xoffsets, unsigned xoffsets_hi, unsigned xsquare, int ystart,
                         unsigned yoffsets, unsigned yoffsets_hi, unsigned ysquare) {
    return select32(bits, x, xstart, xoffsets, xoffsets_hi, xsquare, x, ystart, yoffsets,
                    yoffsets_hi, ysquare);
}

#define S2S_AIE_EXTREMUM_OF_SHORTS(name, op)                                                    \
    inline v32int16 name(v32int16 x, v32int16 y) {                                              \
        for (int i = 0; i < 32; i++) x.lane[i] = x.lane[i] op y.lane[i] ? x.lane[i] : y.lane[i]; \
        return x;                                                                               \
    }                                                                                           \
    template <int N, int M>                                                                     \
    inline v32int16 name(s2s_aie::Vector<int16_t, N> x, int xstart, unsigned xoffsets,          \
                         unsigned xoffsets_hi, unsigned xsquare, s2s_aie::Vector<int16_t, M> y, \
                         int ystart, unsigned yoffsets, unsigned yoffsets_hi,                   \
                         unsigned ysquare) {                                                    \
        return name(shuffle32(x, xstart, xoffsets, xoffsets_hi, xsquare),                       \
                    shuffle32(y, ystart, yoffsets, yoffsets_hi, ysquare));                      \
    }                                                                                           \
    template <int N>                                                                            \
    inline v32int16 name(s2s_aie::Vector<int16_t, N> x, int xstart, unsigned xoffsets,          \
                         unsigned xoffsets_hi, unsigned xsquare, int ystart, unsigned yoffsets, \
                         unsigned yoffsets_hi, unsigned ysquare) {                              \
        return name(x, xstart, xoffsets, xoffsets_hi, xsquare, x, ystart, yoffsets,             \
                    yoffsets_hi, ysquare);                                                      \
    }
S2S_AIE_EXTREMUM_OF_SHORTS(max32, >)
S2S_AIE_EXTREMUM_OF_SHORTS(min32, <)

template <typename T, int N>
inline s2s_aie::Vector<int16_t, N> unpack(s2s_aie::Vector<T, N> x) {
    static_assert(sizeof(T) == 1, "bytes are unpacked");
    s2s_aie::Vector<int16_t, N> result;
    for (int i = 0; i < N; i++) result.lane[i] = x.lane[i];
    return result;
}

inline v32int16 add32(v32int16 x, v32int16 y) { return x + y; }
inline v32int16 sub32(v32int16 x, v32int16 y) { return x - y; }
inline v16int32 abs16(v16int32 x) {
    for (int32_t &lane : x.lane) lane = lane < 0 ? (int32_t)(0u - (unsigned)lane) : lane;
    return x;
}
inline v32int16 abs32(v32int16 x) {
    for (int16_t &lane : x.lane) lane = (int16_t)(lane < 0 ? -lane : lane);
    return x;
}

/* Lanes of y where the bit is set, else of x. */
template <int N>
inline v16int32 select16(unsigned bits, s2s_aie::Vector<int32_t, N> x, int xstart,
                         unsigned xoffsets, unsigned xoffsets_hi, v16int32 y, int ystart,
                         unsigned yoffsets, unsigned yoffsets_hi) {
    const s2s_aie::Whole of_x = s2s_aie::whole(xstart, 0, s2s_aie::both(xoffsets, xoffsets_hi));
    const s2s_aie::Whole of_y = s2s_aie::whole(ystart, 0, s2s_aie::both(yoffsets, yoffsets_hi));
    v16int32 result;
    for (int i = 0; i < 16; i++)
        result.lane[i] = bits >> i & 1 ? y.lane[s2s_aie::around(of_y(i, 0), 16)]
                                       : x.lane[s2s_aie::around(of_x(i, 0), N)];
    return result;
}
inline v16int32 select16(unsigned bits, v16int32 x, v16int32 y) {
    return select16(bits, x, 0, 0x76543210, 0xfedcba98, y, 0, 0x76543210, 0xfedcba98);
}

/* Whole vectors, lane by lane. */
inline v16acc48 mul(v16int16 a, v16int16 b) {
    v16acc48 sums;
    for (int i = 0; i < 16; i++) sums.lane[i] = a.lane[i] * b.lane[i];
    return sums;
}
inline v16acc48 mac(v16acc48 sums, v16int16 a, v16int16 b) {
    for (int i = 0; i < 16; i++)
        sums.lane[i] = s2s_aie::wrapped<48>(sums.lane[i] + a.lane[i] * b.lane[i]);
    return sums;
}
inline v8acc80 lmul(v8int32 a, v8int32 b) {
    v8acc80 sums;
    for (int i = 0; i < 8; i++) sums.lane[i] = (__int128)a.lane[i] * b.lane[i];
    return sums;
}
inline v8acc80 lmac(v8acc80 sums, v8int32 a, v8int32 b) {
    for (int i = 0; i < 8; i++)
        sums.lane[i] = s2s_aie::wrapped<80>(sums.lane[i] + (__int128)a.lane[i] * b.lane[i]);
    return sums;
}

/* ---- Floats: eight lanes; a product and its sum are rounded one after the other ---- */

namespace s2s_aie {
template <int N>
inline v8float picked(const Vector<float, N> &x, int start, unsigned offsets) {
    v8float lanes;
    for (int i = 0; i < 8; i++) lanes.lane[i] = x.lane[around(start + digit(offsets, i), N)];
    return lanes;
}
inline v8float scaled(v8float sums, int sign, const v8float &x, const v8float &z) {
    for (int i = 0; i < 8; i++) {
        const float product = x.lane[i] * z.lane[i];
        sums.lane[i] = sign > 0 ? sums.lane[i] + product : sums.lane[i] - product;
    }
    return sums;
}
inline v8float multiplied(int sign, const v8float &x, const v8float &z) {
    v8float product;
    for (int i = 0; i < 8; i++) product.lane[i] = sign * (x.lane[i] * z.lane[i]);
    return product;
}
} // namespace s2s_aie

#define S2S_AIE_FLOAT_MULTIPLY(name, FIRST, call, WAY)                                           \
    template <int N>                                                                            \
    inline v8float name(FIRST s2s_aie::Vector<float, N> x, int xstart, unsigned xoffsets,        \
                        v8float z, int zstart, unsigned zoffsets) {                              \
        return s2s_aie::call(S2S_AIE_LIST WAY, s2s_aie::picked(x, xstart, xoffsets),             \
                             s2s_aie::picked(z, zstart, zoffsets));                              \
    }                                                                                           \
    template <int N>                                                                            \
    inline v8float name(FIRST s2s_aie::Vector<float, N> x, int xstart, unsigned xoffsets,        \
                        int zstart, unsigned zoffsets) {                                         \
        return s2s_aie::call(S2S_AIE_LIST WAY, s2s_aie::picked(x, xstart, xoffsets),             \
                             s2s_aie::picked(x, zstart, zoffsets));                              \
    }                                                                                           \
    inline v8float name(FIRST v8float x, v8float z) {                                            \
        return s2s_aie::call(S2S_AIE_LIST WAY, x, z);                                            \
    }
S2S_AIE_FLOAT_MULTIPLY(fpmul, , multiplied, (1))
S2S_AIE_FLOAT_MULTIPLY(fpneg_mul, , multiplied, (-1))
S2S_AIE_FLOAT_MULTIPLY(fpmac, v8float sums S2S_AIE_COMMA, scaled, (sums, 1))
S2S_AIE_FLOAT_MULTIPLY(fpmsc, v8float sums S2S_AIE_COMMA, scaled, (sums, -1))

#define S2S_AIE_FLOAT_LANES(name, expression)                                                    \
    inline v8float name(v8float sums, v8float x) {                                               \
        for (int i = 0; i < 8; i++) {                                                           \
            const float a = sums.lane[i], b = x.lane[i];                                        \
            sums.lane[i] = expression;                                                          \
        }                                                                                       \
        return sums;                                                                            \
    }                                                                                           \
    template <int N>                                                                            \
    inline v8float name(v8float sums, s2s_aie::Vector<float, N> x, int xstart,                   \
                        unsigned xoffsets) {                                                     \
        return name(sums, s2s_aie::picked(x, xstart, xoffsets));                                 \
    }
S2S_AIE_FLOAT_LANES(fpadd, a + b)
S2S_AIE_FLOAT_LANES(fpsub, a - b)
S2S_AIE_FLOAT_LANES(fpmax, a > b ? a : b)
S2S_AIE_FLOAT_LANES(fpmin, a < b ? a : b)

#define S2S_AIE_FLOAT_BITS(name, op)                                                             \
    template <int N>                                                                            \
    inline unsigned name(v8float sums, s2s_aie::Vector<float, N> x, int xstart,                  \
                         unsigned xoffsets) {                                                    \
        const v8float other = s2s_aie::picked(x, xstart, xoffsets);                              \
        unsigned bits = 0;                                                                      \
        for (int i = 0; i < 8; i++) bits |= (unsigned)(sums.lane[i] op other.lane[i]) << i;     \
        return bits;                                                                            \
    }                                                                                           \
    inline unsigned name(v8float sums, v8float x) { return name(sums, x, 0, 0x76543210); }
S2S_AIE_FLOAT_BITS(fpge, >=)
S2S_AIE_FLOAT_BITS(fplt, <)

template <int N>
inline v8float fpshuffle(s2s_aie::Vector<float, N> x, int xstart, unsigned xoffsets) {
    return s2s_aie::picked(x, xstart, xoffsets);
}
template <int N>
inline v8float fpneg(s2s_aie::Vector<float, N> x, int xstart = 0, unsigned xoffsets = 0x76543210) {
    v8float lanes = s2s_aie::picked(x, xstart, xoffsets);
    for (float &lane : lanes.lane) lane = -lane;
    return lanes;
}
template <int N>
inline v8float fpabs(s2s_aie::Vector<float, N> x, int xstart = 0, unsigned xoffsets = 0x76543210) {
    v8float lanes = s2s_aie::picked(x, xstart, xoffsets);
    for (float &lane : lanes.lane) lane = std::fabs(lane);
    return lanes;
}
template <int N, int M>
inline v16float fpselect16(unsigned bits, s2s_aie::Vector<float, N> x, int xstart,
                           unsigned xoffsets, unsigned xoffsets_hi, s2s_aie::Vector<float, M> y,
                           int ystart, unsigned yoffsets, unsigned yoffsets_hi) {
    v16float lanes;
    for (int i = 0; i < 16; i++) {
        const int of_x = s2s_aie::digit(i < 8 ? xoffsets : xoffsets_hi, i & 7);
        const int of_y = s2s_aie::digit(i < 8 ? yoffsets : yoffsets_hi, i & 7);
        lanes.lane[i] = bits >> i & 1 ? y.lane[s2s_aie::around(ystart + of_y, M)]
                                      : x.lane[s2s_aie::around(xstart + of_x, N)];
    }
    return lanes;
}
template <int N>
inline v16float fpselect16(unsigned bits, s2s_aie::Vector<float, N> x, int xstart,
                           unsigned xoffsets, unsigned xoffsets_hi, int ystart, unsigned yoffsets,
                           unsigned yoffsets_hi) {
    return fpselect16(bits, x, xstart, xoffsets, xoffsets_hi, x, ystart, yoffsets, yoffsets_hi);
}
template <int N>
inline v16float fpshuffle16(s2s_aie::Vector<float, N> x, int xstart, unsigned xoffsets,
                            unsigned xoffsets_hi) {
    return fpselect16(0, x, xstart, xoffsets, xoffsets_hi, x, xstart, xoffsets, xoffsets_hi);
}
inline float inv(float x) { return 1.0f / x; }
inline float invsqrt(float x) { return 1.0f / std::sqrt(x); }

/* Between floats and integers whose binary point is at ``point``; halves go away from zero. */
inline int float2fix(float x, int point = 0) {
    const double scaled = std::round(std::ldexp((double)x, point));
    S2S_AIE_CHECK(scaled >= -2147483648.0 && scaled <= 2147483647.0, "a number does not fit 32 bits");
    return (int)scaled;
}
inline float fix2float(int x, int point = 0) { return (float)std::ldexp((double)x, -point); }
template <int N>
inline s2s_aie::Vector<int32_t, N> float2fix(s2s_aie::Vector<float, N> x, int point = 0) {
    s2s_aie::Vector<int32_t, N> lanes;
    for (int i = 0; i < N; i++) lanes.lane[i] = float2fix(x.lane[i], point);
    return lanes;
}
template <class T, int N>
inline s2s_aie::Vector<float, N> fix2float(s2s_aie::Vector<T, N> x, int point = 0) {
    s2s_aie::Vector<float, N> lanes;
    for (int i = 0; i < N; i++) lanes.lane[i] = fix2float(x.lane[i], point);
    return lanes;
}

/* ---- Complex numbers, and elements that are added before they are multiplied ---- */

namespace s2s_aie {
typedef __int128 Wide;
inline Complex<Wide> as_complex(Complex<int16_t> value) { return {value.real, value.imag}; }
inline Complex<Wide> as_complex(long long value) { return {value, 0}; }

/* The sum over columns of (x + sign * y) * z; y stands backwards, the middle tap alone. */
struct Pre {
    int sign, start, middle;
};
template <int Columns, int Lanes, class T, int N, class U, int M>
inline ComplexAccumulator<Lanes, 48> complex_products(
    ComplexAccumulator<Lanes, 48> sums, int way, const Vector<T, N> &x, const Whole &of_x,
    const Vector<U, M> &z, const Whole &of_z, const Vector<T, N> &y, const Pre &pre) {
    static_assert(M * sizeof(U) == 32, "Z has 256 bits");
    for (int lane = 0; lane < Lanes; lane++) {
        Wide real = 0, imag = 0;
        for (int column = 0; column < Columns; column++) {
            Complex<Wide> a = as_complex(x.lane[around(of_x(lane, column), N)]);
            const int offset = digit(of_x.offsets, lane);
            if (pre.middle >= 0 && column == Columns - 1) {
                a = as_complex(x.lane[around(of_x.start + pre.middle + offset, N)]);
            } else if (pre.sign) {
                const int at = pre.start + offset - column * of_x.step;
                const Complex<Wide> b = as_complex(y.lane[around(at, N)]);
                a.real += pre.sign * b.real, a.imag += pre.sign * b.imag;
            }
            const Complex<Wide> c = as_complex(z.lane[around(of_z(lane, column), M)]);
            real += a.real * c.real - a.imag * c.imag;
            imag += a.real * c.imag + a.imag * c.real;
        }
        sums.real.lane[lane] = wrapped<48>(sums.real.lane[lane] + way * real);
        sums.imag.lane[lane] = wrapped<48>(sums.imag.lane[lane] + way * imag);
    }
    return sums;
}
template <class U>
constexpr int columns_of(int lanes) {
    return (sizeof(U) == 4 ? 8 : 16) / lanes;
}
} // namespace s2s_aie

#define S2S_AIE_COMPLEX(name, lanes, FIRST, sums, way, TAIL, xstep_, y_, PRE, ZSTEP, zstep_)       \
    template <int N, class U, int M>                                                            \
    inline v##lanes##cacc48 name(S2S_AIE_LIST FIRST s2s_aie::Vector<cint16, N> x, int xstart,    \
                                 unsigned xoffsets S2S_AIE_LIST TAIL, s2s_aie::Vector<U, M> z,   \
                                 int zstart, unsigned zoffsets S2S_AIE_LIST ZSTEP) {             \
        return s2s_aie::complex_products<s2s_aie::columns_of<U>(lanes), lanes>(                  \
            sums, way, x, s2s_aie::whole(xstart, xstep_, xoffsets), z,                           \
            s2s_aie::whole(zstart, zstep_, zoffsets), y_, s2s_aie::Pre PRE);                     \
    }
#define S2S_AIE_COMPLEX_FORMS(name, lanes, FIRST, sums, way)                                      \
    S2S_AIE_COMPLEX(name##lanes, lanes, FIRST, sums, way, (), 0, x, S2S_AIE_PRE(0, 0, -1), (), 0)  \
    S2S_AIE_COMPLEX(name##lanes, lanes, FIRST, sums, way, (, int xstep), xstep, x,                \
                    S2S_AIE_PRE(0, 0, -1), (, int zstep), zstep)                                  \
    S2S_AIE_COMPLEX(name##lanes##_sym, lanes, FIRST, sums, way, (, int xstep, int ystart), xstep,  \
                    x, S2S_AIE_PRE(1, ystart, -1), (, int zstep), zstep)                          \
    S2S_AIE_COMPLEX(name##lanes##_sym, lanes, FIRST, sums, way,                                   \
                    (, int xstep, s2s_aie::Vector<cint16, N> y, int ystart), xstep, y,            \
                    S2S_AIE_PRE(1, ystart, -1), (, int zstep), zstep)                             \
    S2S_AIE_COMPLEX(name##lanes##_antisym, lanes, FIRST, sums, way, (, int xstep, int ystart),     \
                    xstep, x, S2S_AIE_PRE(-1, ystart, -1), (, int zstep), zstep)                  \
    S2S_AIE_COMPLEX(name##lanes##_sym_ct, lanes, FIRST, sums, way,                                \
                    (, int xstep, int ystart, int mtap), xstep, x,                                \
                    S2S_AIE_PRE(1, ystart, mtap), (, int zstep), zstep)                           \
    S2S_AIE_COMPLEX(name##lanes##_sym_ct, lanes, FIRST, sums, way,                                \
                    (, int xstep, s2s_aie::Vector<cint16, N> y, int ystart, int mtap), xstep, y,  \
                    S2S_AIE_PRE(1, ystart, mtap), (, int zstep), zstep)
#define S2S_AIE_PRE(...) {__VA_ARGS__}
S2S_AIE_COMPLEX_FORMS(mul, 4, (), v4cacc48{}, 1)
S2S_AIE_COMPLEX_FORMS(mul, 8, (), v8cacc48{}, 1)
S2S_AIE_COMPLEX_FORMS(negmul, 4, (), v4cacc48{}, -1)
S2S_AIE_COMPLEX_FORMS(negmul, 8, (), v8cacc48{}, -1)
S2S_AIE_COMPLEX_FORMS(mac, 4, (v4cacc48 sum, ), sum, 1)
S2S_AIE_COMPLEX_FORMS(mac, 8, (v8cacc48 sum, ), sum, 1)
S2S_AIE_COMPLEX_FORMS(msc, 4, (v4cacc48 sum, ), sum, -1)
S2S_AIE_COMPLEX_FORMS(msc, 8, (v8cacc48 sum, ), sum, -1)

template <int N>
inline s2s_aie::Vector<cint16, N> srs(s2s_aie::ComplexAccumulator<N, 48> sum, int shift) {
    const s2s_aie::Vector<int16_t, N> real = s2s_aie::narrowed<int16_t>(sum.real, shift);
    const s2s_aie::Vector<int16_t, N> imag = s2s_aie::narrowed<int16_t>(sum.imag, shift);
    s2s_aie::Vector<cint16, N> lanes;
    for (int i = 0; i < N; i++) lanes.lane[i] = {real.lane[i], imag.lane[i]};
    return lanes;
}

/* ---- Between sums and vectors ---- */

#define S2S_AIE_NARROW(name, from, to, element)                                        \
    inline to name(from sum, int shift) { return s2s_aie::narrowed<element>(sum, shift); }
S2S_AIE_NARROW(srs, v8acc80, v8int32, int32_t)
S2S_AIE_NARROW(srs, v4acc80, v4int32, int32_t)
S2S_AIE_NARROW(srs, v16acc48, v16int16, int16_t)
S2S_AIE_NARROW(srs, v8acc48, v8int16, int16_t)
S2S_AIE_NARROW(lsrs, v8acc80, v8int64, int64_t)
S2S_AIE_NARROW(lsrs, v4acc80, v4int64, int64_t)
S2S_AIE_NARROW(lsrs, v16acc48, v16int32, int32_t)
S2S_AIE_NARROW(lsrs, v8acc48, v8int32, int32_t)
S2S_AIE_NARROW(bsrs, v16acc48, v16int8, int8_t)
S2S_AIE_NARROW(ubsrs, v16acc48, v16uint8, uint8_t)

inline v16acc48 ups(v16int8 vector, int shift) { return s2s_aie::widened<48>(vector, shift); }
inline v16acc48 ups(v16uint8 vector, int shift) { return s2s_aie::widened<48>(vector, shift); }
inline v8acc48 ups(v8int32 vector, int shift) { return s2s_aie::widened<48>(vector, shift); }
inline v4acc80 lups(v4int64 vector, int shift) { return s2s_aie::widened<80>(vector, shift); }
inline v16acc48 ups(v16int16 vector, int shift) { return s2s_aie::widened<48>(vector, shift); }
inline v8acc48 ups(v8int16 vector, int shift) { return s2s_aie::widened<48>(vector, shift); }
inline v8acc80 lups(v8int32 vector, int shift) { return s2s_aie::widened<80>(vector, shift); }
inline v4acc80 lups(v4int32 vector, int shift) { return s2s_aie::widened<80>(vector, shift); }

enum { rnd_floor, rnd_ceil, rnd_pos_inf, rnd_neg_inf, rnd_sym_inf, rnd_sym_zero, rnd_conv_even,
       rnd_conv_odd };
inline void set_rnd(int mode) { s2s_aie::modes().rounding = mode; }
inline void set_sat() { s2s_aie::modes().saturation = true; }
inline void clr_sat() { s2s_aie::modes().saturation = false; }

/* ---- The cascade: 64 bits for each of the eight sums of a transfer ---- */

namespace s2s_aie {
inline std::int64_t *cascade_in, *cascade_out;
}
inline v8acc48 get_scd() {
    v8acc48 sums;
    for (int lane = 0; lane < 8; lane++)
        sums.lane[lane] = s2s_aie::wrapped<48>(*s2s_aie::cascade_in++);
    return sums;
}
inline void put_mcd(v8acc48 sums) {
    for (int lane = 0; lane < 8; lane++) *s2s_aie::cascade_out++ = (std::int64_t)sums.lane[lane];
}

/* ---- Windows: a pointer that moves on with every access, and around where the end is known ---- */

namespace s2s_aie {
template <class T>
struct Windows;
template <class W>
void move(W *window, long count) {
    window->ptr += count;
    if (window->size) {
        const long place = (window->ptr - window->head) % window->size;
        window->ptr = window->head + (place < 0 ? place + window->size : place);
    }
}
template <class W>
auto moved(W *window, long count) {
    auto before = window->ptr;
    move(window, count);
    return before;
}
}
#define S2S_AIE_WINDOW(type)                     \
    struct input_window_##type {                 \
        type *ptr;                                \
        type *head = nullptr;                     \
        long size = 0;                            \
    };                                           \
    struct output_window_##type {                \
        type *ptr;                                \
        type *head = nullptr;                     \
        long size = 0;                            \
    };                                           \
    struct input_stream_##type {                 \
        type *ptr;                                \
    };                                           \
    struct output_stream_##type {                \
        type *ptr;                                \
    };                                           \
    template <>                                  \
    struct s2s_aie::Windows<type> {              \
        typedef input_window_##type in;           \
        typedef output_window_##type out;         \
        typedef input_stream_##type in_stream;    \
        typedef output_stream_##type out_stream;  \
    };
typedef int8_t int8;
typedef uint8_t uint8;
typedef int16_t int16;
typedef int32_t int32;
typedef uint16_t uint16;
typedef uint32_t uint32;
S2S_AIE_WINDOW(float)
S2S_AIE_WINDOW(cint16)
S2S_AIE_WINDOW(uint16)
S2S_AIE_WINDOW(uint32)
S2S_AIE_WINDOW(int8)
S2S_AIE_WINDOW(uint8)
S2S_AIE_WINDOW(int16)
S2S_AIE_WINDOW(int32)
template <class T>
using input_window = typename s2s_aie::Windows<T>::in;
template <class T>
using output_window = typename s2s_aie::Windows<T>::out;
template <class T>
using input_stream = typename s2s_aie::Windows<T>::in_stream;
template <class T>
using output_stream = typename s2s_aie::Windows<T>::out_stream;
namespace adf {
template <class T, class... Options>
struct input_buffer : s2s_aie::Windows<T>::in {
    T *data() { return this->ptr; }
};
template <class T, class... Options>
struct output_buffer : s2s_aie::Windows<T>::out {
    T *data() { return this->ptr; }
};
}
inline void acquire(unsigned, unsigned) {}
inline void release(unsigned, unsigned) {}

#define S2S_AIE_READ(lanes, type)                                                              \
    inline v##lanes##type window_read_v##lanes(input_window_##type *window) {                  \
        return *(v##lanes##type *)window->ptr;                                                  \
    }                                                                                          \
    inline v##lanes##type window_readincr_v##lanes(input_window_##type *window) {              \
        v##lanes##type value = *(v##lanes##type *)window->ptr;                                  \
        s2s_aie::move(window, lanes);                                                           \
        return value;                                                                          \
    }                                                                                          \
    inline v##lanes##type window_readdecr_v##lanes(input_window_##type *window) {              \
        v##lanes##type value = *(v##lanes##type *)window->ptr;                                  \
        s2s_aie::move(window, -(lanes));                                                        \
        return value;                                                                          \
    }                                                                                          \
    inline void window_incr_v##lanes(input_window_##type *window, int count) {                 \
        s2s_aie::move(window, lanes * count);                                                   \
    }                                                                                          \
    inline void window_decr_v##lanes(input_window_##type *window, int count) {                 \
        s2s_aie::move(window, -(lanes * count));                                                \
    }                                                                                          \
    inline void window_write(output_window_##type *window, v##lanes##type value) {             \
        *(v##lanes##type *)window->ptr = value;                                                 \
    }                                                                                          \
    inline void window_writeincr(output_window_##type *window, v##lanes##type value) {         \
        *(v##lanes##type *)window->ptr = value;                                                 \
        s2s_aie::move(window, lanes);                                                           \
    }
S2S_AIE_READ(4, float)
S2S_AIE_READ(8, float)
S2S_AIE_READ(16, float)
S2S_AIE_READ(4, cint16)
S2S_AIE_READ(8, cint16)
S2S_AIE_READ(16, cint16)
S2S_AIE_READ(4, int32)
S2S_AIE_READ(8, int32)
S2S_AIE_READ(8, int16)
S2S_AIE_READ(16, int16)
S2S_AIE_READ(16, int8)
S2S_AIE_READ(32, int8)
S2S_AIE_READ(16, uint8)
S2S_AIE_READ(32, uint8)

/* Streams: 128 bits at once, or one element; what the array has is what arrives. */
#define S2S_AIE_STREAM(lanes, type)                                                            \
    inline v##lanes##type readincr_v##lanes(input_stream_##type *stream) {                     \
        v##lanes##type value = *(v##lanes##type *)stream->ptr;                                  \
        stream->ptr += lanes;                                                                   \
        return value;                                                                          \
    }                                                                                          \
    inline void writeincr_v##lanes(output_stream_##type *stream, v##lanes##type value) {       \
        *(v##lanes##type *)stream->ptr = value;                                                 \
        stream->ptr += lanes;                                                                   \
    }                                                                                          \
    inline void writeincr(output_stream_##type *stream, v##lanes##type value) {                \
        writeincr_v##lanes(stream, value);                                                      \
    }                                                                                          \
    inline type readincr(input_stream_##type *stream) { return *stream->ptr++; }               \
    inline void writeincr(output_stream_##type *stream, type value) { *stream->ptr++ = value; }
S2S_AIE_STREAM(4, float)
S2S_AIE_STREAM(4, cint16)
S2S_AIE_STREAM(4, int32)
S2S_AIE_STREAM(8, int16)
S2S_AIE_STREAM(16, int8)
S2S_AIE_STREAM(16, uint8)

template <class W, class T>
inline void window_readincr(W *window, T &to) {
    to = *(const T *)window->ptr;
    s2s_aie::move(window, sizeof(T) / sizeof *window->ptr);
}
template <class W, class T>
inline void window_read(W *window, T &to) {
    to = *(const T *)window->ptr;
}
#define S2S_AIE_MOVE(type)                                                                       \
    inline void window_incr(input_window_##type *window, int count) { s2s_aie::move(window, count); }     \
    inline void window_incr(output_window_##type *window, int count) { s2s_aie::move(window, count); }    \
    inline void window_decr(input_window_##type *window, int count) { s2s_aie::move(window, -count); }     \
    inline void window_decr(output_window_##type *window, int count) { s2s_aie::move(window, -count); }    \
    inline type window_read(input_window_##type *window) { return *window->ptr; }                 \
    inline type window_readincr(input_window_##type *window) { return *s2s_aie::moved(window, 1); }           \
    inline void window_write(output_window_##type *window, type value) { *window->ptr = value; }  \
    inline void window_writeincr(output_window_##type *window, type value) {                     \
        *s2s_aie::moved(window, 1) = value;                                                       \
    }                                                                                            \
    inline void window_acquire(input_window_##type *) {}                                         \
    inline void window_acquire(output_window_##type *) {}                                        \
    inline void window_release(input_window_##type *) {}                                         \
    inline void window_release(output_window_##type *) {}
S2S_AIE_MOVE(float)
S2S_AIE_MOVE(cint16)
S2S_AIE_MOVE(int8)
S2S_AIE_MOVE(uint8)
S2S_AIE_MOVE(int16)
S2S_AIE_MOVE(int32)

#endif

#endif
