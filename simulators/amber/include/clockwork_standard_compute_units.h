// Functions that compute files call without saying what they are.

#pragma once

#include <algorithm>

#include "hw_classes.h"

template <class A, class B>
std::common_type_t<A, B> max(A a, B b) {
    return a > b ? a : b;
}
template <class A, class B>
std::common_type_t<A, B> min(A a, B b) {
    return a < b ? a : b;
}
template <class A, class B>
std::common_type_t<A, B> select(bool condition, A a, B b) {
    return condition ? a : b;
}
template <class T>
T clamp(T value, T low, T high) {
    return min(max(value, low), high);
}
template <class T>
T absd(T a, T b) {
    return a > b ? a - b : b - a;
}
// Floats and the bits that they are.
inline float float_from_bits(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
inline uint32_t to_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
inline float to_float(const hw_uint<32> &bits) { return float_from_bits(uint32_t(bits)); }
inline bfloat16_t bfloat_from_bits(uint32_t bits) { return float_from_bits(bits); }
inline bfloat16_t exp_bf16(bfloat16_t value) { return std::exp(float(value)); }
inline float sqrt_f32(float value) { return std::sqrt(value); }
template <class T>
T clamp_val(T value, T low, T high) {
    return clamp(value, low, high);
}
// Division and remainder that round down; by zero they are zero.
template <class T>
T div_floor(T a, T b) {
    return b == 0 ? 0 : T(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
template <class T>
T mod_floor(T a, T b) {
    return b == 0 ? 0 : T(a - div_floor(a, b) * b);
}
