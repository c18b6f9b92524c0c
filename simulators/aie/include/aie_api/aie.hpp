/* The vector API of the AI Engine, aie::, over the intrinsics of ../aie_intrinsics.h, for g++.
 *
 * What s2s simulates of it: vectors and sums with their parts, loads and stores, iterators over
 * buffers, arithmetic lane by lane, and sliding products. A cycle counter reads 0.
 */
#ifndef S2S_AIE_API_H
#define S2S_AIE_API_H

#include "../aie_intrinsics.h"

#if !defined(__AIENGINE__) && !defined(__chess__)

struct acc48;
struct acc80;
struct accfloat;

namespace aie {

constexpr int vector_decl_align = 32;

template <class Tag>
struct bits_of;
template <>
struct bits_of<acc48> {
    static constexpr int bits = 48;
};
template <>
struct bits_of<acc80> {
    static constexpr int bits = 80;
};

template <class T, unsigned N>
struct vector : s2s_aie::Vector<T, N> {
    typedef s2s_aie::Vector<T, N> Plain;
    vector() : Plain(s2s_aie::undefined<Plain>()) {}
    vector(const Plain &from) : Plain(from) {}
    template <unsigned M>
    vector &insert(unsigned index, const vector<T, M> &part) {
        return insert(index, (const s2s_aie::Vector<T, M> &)part);
    }
    template <int M>
    vector &insert(unsigned index, const s2s_aie::Vector<T, M> &part) {
        S2S_AIE_CHECK((index + 1) * M <= N, "no such part of a vector");
        for (int i = 0; i < M; i++) this->lane[index * M + i] = part.lane[i];
        return *this;
    }
    template <unsigned M>
    vector<T, M> extract(unsigned index) const {
        S2S_AIE_CHECK((index + 1) * M <= N, "no such part of a vector");
        vector<T, M> part;
        for (unsigned i = 0; i < M; i++) part.lane[i] = this->lane[index * M + i];
        return part;
    }
    template <class To = int8_t>
    vector<To, N> pack() const {
        vector<To, N> packed;
        for (unsigned i = 0; i < N; i++) {
            packed.lane[i] = (To)this->lane[i];
            S2S_AIE_CHECK(packed.lane[i] == this->lane[i], "a number that is packed does not fit");
        }
        return packed;
    }
    vector<int16_t, N> unpack() const { return ::unpack((const Plain &)*this); }
    T get(unsigned index) const { return ext_elem((const Plain &)*this, index); }
    void set(T value, unsigned index) { this->lane[index] = value; }
    void push(T value) { (Plain &)*this = shft_elem((const Plain &)*this, value); }
};

template <class Tag, unsigned N>
struct accum : s2s_aie::Accumulator<N, bits_of<Tag>::bits> {
    static constexpr int bits = bits_of<Tag>::bits;
    typedef s2s_aie::Accumulator<N, bits> Plain;
    accum() : Plain(s2s_aie::undefined<Plain>()) {}
    accum(const Plain &from) : Plain(from) {}
    template <class T>
    vector<T, N> to_vector(int shift = 0) const {
        return s2s_aie::Vector<T, N>(s2s_aie::narrowed<T>((const Plain &)*this, shift));
    }
    template <class T>
    void from_vector(const vector<T, N> &from, int shift = 0) {
        (Plain &)*this = s2s_aie::widened<bits>((const s2s_aie::Vector<T, N> &)from, shift);
    }
};

template <unsigned N>
struct accum<accfloat, N> : vector<float, N> {
    accum() {}
    accum(const s2s_aie::Vector<float, N> &from) : vector<float, N>(from) {}
    template <class T = float>
    vector<T, N> to_vector(int = 0) const {
        return *this;
    }
    template <class T>
    void from_vector(const vector<T, N> &from, int = 0) {
        (vector<float, N> &)*this = from;
    }
};

/* A tile of a product: M x K by K x N, all row by row. */
template <unsigned M, unsigned K, unsigned N, class TypeA, class TypeB>
struct mmul : accum<acc48, M * N> {
    static constexpr unsigned size_A = M * K, size_B = K * N, size_C = M * N;
    template <class A, class B>
    void add(const A &a, const B &b, bool from_zero) {
        for (unsigned m = 0; m < M; m++)
            for (unsigned n = 0; n < N; n++) {
                int64_t sum = from_zero ? 0 : (int64_t)this->lane[m * N + n];
                for (unsigned k = 0; k < K; k++)
                    sum += (int64_t)a.lane[m * K + k] * b.lane[k * N + n];
                this->lane[m * N + n] = s2s_aie::wrapped<48>(sum);
            }
    }
    void mul(const vector<TypeA, M * K> &a, const vector<TypeB, K * N> &b) { add(a, b, true); }
    void mac(const vector<TypeA, M * K> &a, const vector<TypeB, K * N> &b) { add(a, b, false); }
};

struct tile {
    static tile current() { return {}; }
    unsigned long long cycles() const { return 0; }
};

/* ---- Memory ---- */

template <unsigned N, class T>
inline vector<T, N> load_v(const T *from) {
    return *(const s2s_aie::Vector<T, N> *)from;
}
template <class T, int N>
inline void store_to(T *to, const s2s_aie::Vector<T, N> &from) {
    *(s2s_aie::Vector<T, N> *)to = from;
}
template <class T, unsigned N>
inline void store_v(T *to, const vector<T, N> &from) {
    store_to(to, (const s2s_aie::Vector<T, N> &)from);
}
#define S2S_AIE_BEGIN(name)                                                         \
    template <unsigned N, class W>                                                   \
    inline auto name(W &window) {                                                    \
        return (vector<typename std::remove_reference<decltype(*window.ptr)>::type, N> *)window.ptr; \
    }                                                                               \
    template <unsigned N, class T>                                                   \
    inline vector<T, N> *name(T *from) {                                             \
        return (vector<T, N> *)from;                                                 \
    }
S2S_AIE_BEGIN(begin_vector)
S2S_AIE_BEGIN(cbegin_vector)
S2S_AIE_BEGIN(begin_restrict_vector)
S2S_AIE_BEGIN(cbegin_restrict_vector)

/* ---- Lane by lane ---- */

template <class T, unsigned N = 512 / (8 * sizeof(T))>
inline vector<T, N> broadcast(T value) {
    vector<T, N> all;
    for (unsigned i = 0; i < N; i++) all.lane[i] = value;
    return all;
}
template <class T, unsigned N>
inline vector<T, N> zeros() {
    return broadcast<T, N>(0);
}

template <class T>
struct parts;
template <class T, int N>
struct parts<s2s_aie::Vector<T, N>> {
    typedef T element;
    typedef vector<T, N> whole;
    static constexpr int lanes = N;
    static constexpr bool is_float = std::is_floating_point<T>::value;
    typedef typename std::conditional<sizeof(T) == 4, acc80, acc48>::type integers;
    typedef typename std::conditional<is_float, accfloat, integers>::type tag;
    typedef typename std::conditional<is_float, T, long long>::type wide;
};
template <class T, unsigned N>
struct parts<vector<T, N>> : parts<s2s_aie::Vector<T, N>> {};

template <class V>
inline V alike(const V &, const V &value) {
    return value;
}
template <class V>
inline V alike(const V &, typename parts<V>::element value) {
    return broadcast<typename parts<V>::element, parts<V>::lanes>(value);
}

#define S2S_AIE_LANES(name, expression)                                       \
    template <class V, class W, class T = typename parts<V>::element>          \
    inline typename parts<V>::whole name(const V &a, const W &other) {         \
        const V b = alike(a, other);                                           \
        typename parts<V>::whole found;                                        \
        for (int i = 0; i < parts<V>::lanes; i++) {                            \
            const typename parts<V>::wide x = a.lane[i], y = b.lane[i];        \
            found.lane[i] = (T)(expression);                                   \
        }                                                                     \
        return found;                                                         \
    }
S2S_AIE_LANES(add, x + y)
S2S_AIE_LANES(sub, x - y)
S2S_AIE_LANES(max, x > y ? x : y)
S2S_AIE_LANES(min, x < y ? x : y)

/* A lane of a vector, or a number that stands for all. */
template <class T, int N>
inline T lane_of(const s2s_aie::Vector<T, N> &from, int i) {
    return from.lane[i];
}
template <class T, unsigned N>
inline T lane_of(const vector<T, N> &from, int i) {
    return from.lane[i];
}
template <class T>
inline T lane_of(T number, int) {
    return number;
}
template <class V, class W>
struct tag_of {
    static constexpr bool is_wide = sizeof(typename parts<V>::element) == 4 &&
                                    sizeof(lane_of(std::declval<W>(), 0)) == 4;
    typedef typename std::conditional<is_wide, acc80, acc48>::type integers;
    typedef typename std::conditional<parts<V>::is_float, accfloat, integers>::type type;
};
template <class V, class W, class Tag = typename tag_of<V, W>::type>
inline accum<Tag, parts<V>::lanes> mul(const V &a, const W &b) {
    accum<Tag, parts<V>::lanes> sums;
    for (int i = 0; i < parts<V>::lanes; i++)
        if constexpr (parts<V>::is_float)
            sums.lane[i] = a.lane[i] * lane_of(b, i);
        else
            sums.lane[i] = s2s_aie::wrapped<sums.bits>((__int128)a.lane[i] * lane_of(b, i));
    return sums;
}
template <class Tag, unsigned N, class V, class W>
inline accum<Tag, N> mac(accum<Tag, N> sums, const V &a, const W &b) {
    const auto products = mul(a, b);
    for (unsigned i = 0; i < N; i++)
        if constexpr (parts<V>::is_float)
            sums.lane[i] += products.lane[i];
        else
            sums.lane[i] = s2s_aie::wrapped<sums.bits>(sums.lane[i] + products.lane[i]);
    return sums;
}
template <class Tag, unsigned N, class V>
inline accum<Tag, N> add(accum<Tag, N> sums, const V &a) {
    for (unsigned i = 0; i < N; i++)
        sums.lane[i] = s2s_aie::wrapped<sums.bits>(sums.lane[i] + a.lane[i]);
    return sums;
}
template <class Tag, unsigned N, class V>
inline accum<Tag, N> sub(accum<Tag, N> sums, const V &a) {
    for (unsigned i = 0; i < N; i++)
        sums.lane[i] = s2s_aie::wrapped<sums.bits>(sums.lane[i] - a.lane[i]);
    return sums;
}
template <class Tag, unsigned N>
inline accum<Tag, 2 * N> concat(const accum<Tag, N> &low, const accum<Tag, N> &high) {
    accum<Tag, 2 * N> both;
    for (unsigned i = 0; i < N; i++) both.lane[i] = low.lane[i], both.lane[N + i] = high.lane[i];
    return both;
}
template <class T, unsigned N>
inline vector<T, 2 * N> concat(const vector<T, N> &low, const vector<T, N> &high) {
    vector<T, 2 * N> both;
    return both.insert(0, low).insert(1, high);
}

template <class V>
inline auto mul_square(const V &a) {
    return mul(a, a);
}
template <class T = int32_t, class F>
inline auto to_fixed(const F &from, int point = 0) {
    static_assert(sizeof(T) == 4, "integers of 32 bits");
    return float2fix(from, point);
}
template <class T = float, class I>
inline auto to_float(const I &from, int point = 0) {
    return fix2float(from, point);
}

/* ---- Sliding products; indices go around the end of a register ---- */

template <unsigned Lanes, unsigned Points, int Step = 1, int Along = 1, int Across = Along>
struct sliding_mul_ops_of {
    template <class C, class D, class Tag = typename parts<D>::tag>
    static accum<Tag, Lanes> mul(const C &coefficients, int first, const D &data, int start) {
        accum<Tag, Lanes> sums;
        for (unsigned i = 0; i < Lanes; i++) sums.lane[i] = 0;
        return mac(sums, coefficients, first, data, start);
    }
    template <class Tag, class C, class D>
    static accum<Tag, Lanes> mac(accum<Tag, Lanes> sums, const C &coefficients, int first,
                                 const D &data, int start) {
        for (unsigned i = 0; i < Lanes; i++)
            for (unsigned p = 0; p < Points; p++) {
                const int c = s2s_aie::around(first + (int)p * Step, parts<C>::lanes);
                const int d = s2s_aie::around(start + (int)p * Along + (int)i * Across,
                                              parts<D>::lanes);
                sums.lane[i] = s2s_aie::wrapped<sums.bits>(
                    sums.lane[i] + (__int128)coefficients.lane[c] * data.lane[d]);
            }
        return sums;
    }
};
template <unsigned L, unsigned P, int S, int X, int Y, class C = int, class D = int, class A = int>
using sliding_mul_ops = sliding_mul_ops_of<L, P, S, X, Y>;
template <unsigned L, unsigned P, int S, int X, class C = int, class D = int, class A = int>
using sliding_mul_xy_ops = sliding_mul_ops_of<L, P, S, X, X>;
template <unsigned L, unsigned P, int S, int X, class C = int, class D = int, class A = int>
using sliding_mul_x_ops = sliding_mul_ops_of<L, P, S, X, 1>;
template <unsigned L, unsigned P, int S, int Y, class C = int, class D = int, class A = int>
using sliding_mul_y_ops = sliding_mul_ops_of<L, P, S, 1, Y>;

/* The points' second half has the coefficients of the first one, backwards. */
template <unsigned Lanes, unsigned Points, int Step = 1, int Along = 1, int Across = Along>
struct sliding_mul_sym_ops_of {
    template <class C, class D, class Tag = typename parts<D>::tag>
    static accum<Tag, Lanes> mul_sym(const C &coefficients, int first, const D &data, int start) {
        accum<Tag, Lanes> sums;
        for (unsigned i = 0; i < Lanes; i++) sums.lane[i] = 0;
        return mac_sym(sums, coefficients, first, data, start);
    }
    template <class Tag, class C, class D>
    static accum<Tag, Lanes> mac_sym(accum<Tag, Lanes> sums, const C &coefficients, int first,
                                     const D &data, int start) {
        static_assert(Points % 2 == 0, "an even number of points");
        for (unsigned p = 0; p < Points / 2; p++) {
            const int mirrored = start + (int)(Points - 1 - p) * Along;
            sums = once::mac(sums, coefficients, first + (int)p * Step, data,
                             start + (int)p * Along);
            sums = once::mac(sums, coefficients, first + (int)p * Step, data, mirrored);
        }
        return sums;
    }

  private:
    using once = sliding_mul_ops_of<Lanes, 1, Step, Along, Across>;
};
template <unsigned L, unsigned P, int S, int X, int Y, class C = int, class D = int, class A = int>
using sliding_mul_sym_ops = sliding_mul_sym_ops_of<L, P, S, X, Y>;
template <unsigned L, unsigned P, int S, int X, class C = int, class D = int, class A = int>
using sliding_mul_sym_xy_ops = sliding_mul_sym_ops_of<L, P, S, X, X>;
template <unsigned L, unsigned P, int S, int X, class C = int, class D = int, class A = int>
using sliding_mul_sym_x_ops = sliding_mul_sym_ops_of<L, P, S, X, 1>;
template <unsigned L, unsigned P, int S, int Y, class C = int, class D = int, class A = int>
using sliding_mul_sym_y_ops = sliding_mul_sym_ops_of<L, P, S, 1, Y>;

template <unsigned L, unsigned P, int S = 1, int X = 1, int Y = 1, class C, class D>
inline auto sliding_mul_sym(const C &coefficients, int first, const D &data, int start) {
    return sliding_mul_sym_ops_of<L, P, S, X, Y>::mul_sym(coefficients, first, data, start);
}
template <unsigned L, unsigned P, int S = 1, int X = 1, int Y = 1, class A, class C, class D>
inline auto sliding_mac_sym(const A &sums, const C &coefficients, int first, const D &data,
                            int start) {
    return sliding_mul_sym_ops_of<L, P, S, X, Y>::mac_sym(sums, coefficients, first, data, start);
}
template <unsigned L, unsigned P, int S = 1, int X = 1, int Y = 1, class C, class D>
inline auto sliding_mul(const C &coefficients, int first, const D &data, int start) {
    return sliding_mul_ops_of<L, P, S, X, Y>::mul(coefficients, first, data, start);
}
template <unsigned L, unsigned P, int S = 1, int X = 1, int Y = 1, class A, class C, class D>
inline auto sliding_mac(const A &sums, const C &coefficients, int first, const D &data, int start) {
    return sliding_mul_ops_of<L, P, S, X, Y>::mac(sums, coefficients, first, data, start);
}

}  // namespace aie

/* ---- Windows of vectors of the API ---- */

#define S2S_AIE_VECTORS_OF(name, moves)                                                       \
    template <unsigned N, class W, class T = typename std::remove_reference<decltype(*W::ptr)>::type> \
    inline aie::vector<T, N> name(W *window) {                                                 \
        const aie::vector<T, N> value = aie::load_v<N>((const T *)window->ptr);                \
        window->ptr += moves;                                                                  \
        return value;                                                                         \
    }
S2S_AIE_VECTORS_OF(window_readincr_v, N)
S2S_AIE_VECTORS_OF(window_read_v, 0)
S2S_AIE_VECTORS_OF(readincr_v, N)
template <class W, class T, unsigned N>
inline void window_writeincr(W *window, const aie::vector<T, N> &value) {
    aie::store_v(window->ptr, value);
    window->ptr += N;
}
template <class W, class T, unsigned N>
inline void window_write(W *window, const aie::vector<T, N> &value) {
    aie::store_v(window->ptr, value);
}
template <class W, class T, unsigned N>
inline void writeincr(W *stream, const aie::vector<T, N> &value) {
    aie::store_v(stream->ptr, value);
    stream->ptr += N;
}

#include "reshaping.hpp"

#endif

#endif
