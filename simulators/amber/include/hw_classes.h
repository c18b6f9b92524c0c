// The types that compute files are written in: hw_uint<N>, bfloat16_t, HWStream.
// Values are bits, least significant first; arithmetic on them is that of uint64_t.

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <type_traits>

struct bfloat16_t;

template <int N>
struct hw_uint {
    static constexpr int limbs = (N + 63) / 64;
    uint64_t limb[limbs] = {};

    hw_uint() = default;
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    hw_uint(T value) {
        limb[0] = N < 64 ? uint64_t(value) & ((uint64_t(1) << N % 64) - 1) : uint64_t(value);
    }
    template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
    hw_uint(T value) : hw_uint(int64_t(value)) {}
    hw_uint(const bfloat16_t &value);

    // Bits `low` to `high`, both included.
    template <int low, int high>
    hw_uint<high - low + 1> extract() const {
        static_assert(0 <= low && low <= high && high < N, "bits that the value does not have");
        hw_uint<high - low + 1> found;
        for (int k = 0; k < found.limbs; ++k)
            found.limb[k] = bits(low + 64 * k);
        return found.template cut<high - low + 1>();
    }
    // The `place`-th of the pieces of W bits.
    template <int W, int place>
    hw_uint<W> get() const {
        return extract<W * place, W * place + W - 1>();
    }
    // Give W bits (at most 64) from `offset` on another value.
    template <int offset, int W>
    void set(uint64_t value) {
        static_assert(W <= 64 && offset + W <= N, "bits that the value does not have");
        const uint64_t ones = W == 64 ? ~uint64_t(0) : (uint64_t(1) << W % 64) - 1;
        constexpr int place = offset / 64, shift = offset % 64;
        limb[place] = (limb[place] & ~(ones << shift)) | ((value & ones) << shift);
        if constexpr (shift + W > 64)
            limb[place + 1] = (limb[place + 1] & ~(ones >> (64 - shift)))
                              | ((value & ones) >> (64 - shift));
    }
    template <int W>
    hw_uint<W> cut() const {
        hw_uint<W> found;
        for (int k = 0; k < found.limbs; ++k)
            found.limb[k] = limb[k];
        if (W % 64)
            found.limb[found.limbs - 1] &= (uint64_t(1) << W % 64) - 1;
        return found;
    }
    uint64_t bits(int from) const {
        const int place = from / 64, shift = from % 64;
        const uint64_t more = shift && place + 1 < limbs ? limb[place + 1] << (64 - shift) : 0;
        return (limb[place] >> shift) | more;
    }
    int to_int() const { return int(limb[0]); }
    operator uint64_t() const { return limb[0]; }
};

template <int offset, int total, int width>
void set_at(hw_uint<total> &into, const hw_uint<width> &value) {
    for (int k = 0; k < width; ++k) {
        const int at = offset + k;
        const uint64_t bit = (value.limb[k / 64] >> k % 64) & 1;
        into.limb[at / 64] = (into.limb[at / 64] & ~(uint64_t(1) << at % 64)) | bit << at % 64;
    }
}

// A float of 16 bits: arithmetic in single precision, rounded to the nearest, ties to even.
struct bfloat16_t {
    uint16_t data = 0;

    bfloat16_t() = default;
    bfloat16_t(float value) {
        uint32_t word;
        std::memcpy(&word, &value, 4);
        data = std::isnan(value) ? uint16_t(word >> 16 | 0x40)
                                 : uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
    }
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    bfloat16_t(T value) : bfloat16_t(float(value)) {}

    static bfloat16_t make_from_bits(uint16_t bits) {
        bfloat16_t made;
        made.data = bits;
        return made;
    }
    uint16_t to_bits() const { return data; }
    operator float() const {
        const uint32_t word = uint32_t(data) << 16;
        float value;
        std::memcpy(&value, &word, 4);
        return value;
    }
};

inline bfloat16_t operator+(bfloat16_t a, bfloat16_t b) { return float(a) + float(b); }
inline bfloat16_t operator-(bfloat16_t a, bfloat16_t b) { return float(a) - float(b); }
inline bfloat16_t operator*(bfloat16_t a, bfloat16_t b) { return float(a) * float(b); }
inline bfloat16_t operator/(bfloat16_t a, bfloat16_t b) { return float(a) / float(b); }
inline bfloat16_t operator-(bfloat16_t a) { return bfloat16_t::make_from_bits(a.data ^ 0x8000); }

template <int N>
hw_uint<N>::hw_uint(const bfloat16_t &value) : hw_uint(value.data) {}

// A queue between operations, as the simulation in C of such files has them.
template <class T>
struct HWStream {
    std::deque<T> words;

    T read() {
        T word = words.front();
        words.pop_front();
        return word;
    }
    void write(const T &word) { words.push_back(word); }
    bool is_empty() const { return words.empty(); }
};
