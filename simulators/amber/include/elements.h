// Operations of processing elements: integers wrap, divisions leave a remainder that is not
// negative and give 0 by 0, floats are as C has them.

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace element {

// Arithmetic without overflow: integers modulo 2**64, then modulo their own bits.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;

template <class T> T add(T a, T b) { return T(Wide<T>(a) + Wide<T>(b)); }
template <class T> T sub(T a, T b) { return T(Wide<T>(a) - Wide<T>(b)); }
template <class T> T mul(T a, T b) { return T(Wide<T>(a) * Wide<T>(b)); }
template <class T> T mod(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a - b * std::floor(a / b);
    else {
        if (b == 0)
            return 0;
        const __int128 rest = __int128(a) % __int128(b);
        return T(rest < 0 ? rest + (b < 0 ? -__int128(b) : __int128(b)) : rest);
    }
}
template <class T> T div(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return a / b;
    else
        return b == 0 ? T(0) : T((__int128(a) - __int128(mod(a, b))) / __int128(b));
}
template <class T> T min(T a, T b) { return b < a ? b : a; }
template <class T> T max(T a, T b) { return a < b ? b : a; }
template <class T> bool eq(T a, T b) { return a == b; }
template <class T> bool ne(T a, T b) { return a != b; }
template <class T> bool lt(T a, T b) { return a < b; }
template <class T> bool le(T a, T b) { return a <= b; }
template <class T> bool gt(T a, T b) { return a > b; }
template <class T> bool ge(T a, T b) { return a >= b; }
inline bool logic_and(bool a, bool b) { return a && b; }
inline bool logic_or(bool a, bool b) { return a || b; }
inline bool logic_not(bool a) { return !a; }
template <class T> T band(T a, T b) { return T(a & b); }
template <class T> T bor(T a, T b) { return T(a | b); }
template <class T> T bxor(T a, T b) { return T(a ^ b); }
template <class T> T bnot(T a) { return T(~a); }
// A negative distance shifts the other way.
template <class T, class D> T shr(T a, D by);
template <class T, class D> T shl(T a, D by) {
    if (std::is_signed_v<D> && by < 0)
        return shr(a, uint64_t(-int64_t(by)));
    return uint64_t(by) >= 8 * sizeof(T) ? T(0) : T(uint64_t(a) << by);
}
template <class T, class D> T shr(T a, D by) {
    if (std::is_signed_v<D> && by < 0)
        return shl(a, uint64_t(-int64_t(by)));
    const uint64_t most = 8 * sizeof(T) - 1;
    return uint64_t(by) > most ? (a < 0 ? T(-1) : T(0)) : T(a >> by);
}
// Some bits of a product.
template <class T, class D> T mul_shr(T a, T b, D by) { return shr(mul(a, b), by); }
template <class T> T select(bool condition, T a, T b) { return condition ? a : b; }
template <class R, class T> R absd(T a, T b) {
    return R(a < b ? Wide<T>(b) - Wide<T>(a) : Wide<T>(a) - Wide<T>(b));
}
template <class R, class T> R abs(T a) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fabs(a);
    else
        return R(a < 0 ? 0 - Wide<T>(a) : Wide<T>(a));
}
template <class T> T sqrt(T a) { return std::sqrt(a); }
template <class T> T floor(T a) { return std::floor(a); }
template <class T> T ceil(T a) { return std::ceil(a); }
template <class T> T trunc(T a) { return std::trunc(a); }
template <class T, int N> T table(const T (&words)[N], int64_t place) {
    return place >= 0 && place < N ? words[place] : T(0);
}
// Bits as another type of the same size.
template <class R, class T> R reinterpret(T a) {
    R found;
    static_assert(sizeof found == sizeof a);
    std::memcpy(&found, &a, sizeof found);
    return found;
}

}   // namespace element
