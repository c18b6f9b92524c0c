/* Vectors of aie.hpp whose lanes move, or become one number: halves of what is left are combined. */
#ifndef S2S_AIE_RESHAPING_H
#define S2S_AIE_RESHAPING_H

#include "aie.hpp"

#if !defined(__AIENGINE__) && !defined(__chess__)

namespace aie {

#define S2S_AIE_REDUCE(name, expression)                                      \
    template <class V, class T = typename parts<V>::element>                   \
    inline T name(const V &v) {                                               \
        T left[parts<V>::lanes];                                              \
        for (int i = 0; i < parts<V>::lanes; i++) left[i] = v.lane[i];         \
        for (int half = parts<V>::lanes / 2; half; half /= 2)                  \
            for (int i = 0; i < half; i++) {                                   \
                const T x = left[i], y = left[i + half];                       \
                left[i] = (T)(expression);                                     \
            }                                                                 \
        return left[0];                                                       \
    }
S2S_AIE_REDUCE(reduce_add, x + y)
S2S_AIE_REDUCE(reduce_max, x > y ? x : y)
S2S_AIE_REDUCE(reduce_min, x < y ? x : y)

/* ``beyond`` is what a lane becomes for which there is no place in the vector. */
template <class V, class F>
inline typename parts<V>::whole shuffled(const V &v, int shift, F beyond) {
    constexpr int lanes = parts<V>::lanes;
    S2S_AIE_CHECK(-lanes <= shift && shift <= lanes, "a shuffle by more than all lanes");
    typename parts<V>::whole found;
    for (int i = 0; i < lanes; i++) {
        const int place = i + shift;
        found.lane[i] = place >= 0 && place < lanes ? v.lane[place] : beyond(found.lane[i], place);
    }
    return found;
}
#define S2S_AIE_SHUFFLE(end, expression)                                                      \
    template <class V, class T = typename parts<V>::element, int N = parts<V>::lanes>          \
    inline auto shuffle_down##end(const V &v, int n) {                                        \
        return shuffled(v, n, [&](T undefined, int place) -> T { return expression; });        \
    }                                                                                         \
    template <class V, class T = typename parts<V>::element, int N = parts<V>::lanes>          \
    inline auto shuffle_up##end(const V &v, int n) {                                          \
        return shuffled(v, -n, [&](T undefined, int place) -> T { return expression; });       \
    }
S2S_AIE_SHUFFLE(, ((void)place, undefined))
S2S_AIE_SHUFFLE(_rotate, ((void)undefined, v.lane[s2s_aie::around(place, N)]))
S2S_AIE_SHUFFLE(_replicate, ((void)undefined, v.lane[place < 0 ? 0 : N - 1]))

template <class V, class W, class T = typename parts<V>::element, int N = parts<V>::lanes>
inline auto shuffle_down_fill(const V &v, const W &fill, int n) {
    return shuffled(v, n, [&](T, int place) { return fill.lane[place - N]; });
}
template <class V, class W, class T = typename parts<V>::element, int N = parts<V>::lanes>
inline auto shuffle_up_fill(const V &v, const W &fill, int n) {
    return shuffled(v, -n, [&](T, int place) { return fill.lane[place + N]; });
}
template <class V, class T = typename parts<V>::element, int N = parts<V>::lanes>
inline vector<T, N / 2> filtered(const V &v, int step, int first) {
    vector<T, N / 2> half;
    for (int i = 0; i < N / 2; i++) half.lane[i] = v.lane[first + i / step * 2 * step + i % step];
    return half;
}
/* Where elements are at any place. */
template <unsigned N, class T>
inline vector<T, N> load_unaligned_v(const T *from, unsigned = 1) {
    vector<T, N> found;
    for (unsigned i = 0; i < N; i++) found.lane[i] = from[i];
    return found;
}
template <unsigned N = 0, class T, class V>
inline void store_unaligned_v(T *to, const V &from, unsigned = 1) {
    for (int i = 0; i < parts<V>::lanes; i++) to[i] = from.lane[i];
}

template <class V>
inline auto filter_even(const V &v, int step = 1) {
    return filtered(v, step, 0);
}
template <class V>
inline auto filter_odd(const V &v, int step = 1) {
    return filtered(v, step, step);
}

}  // namespace aie

#endif

#endif
