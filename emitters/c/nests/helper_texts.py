"""Texts of the small functions that the emitted C calls."""

from __future__ import annotations

MINMAX = """static inline {T} s2s_{op}_{t}({T} a, {T} b)
{{
    return a {sign} b ? a : b;
}}
"""
MASKED = """/* a {sign} b ? a : b without a branch */
static inline {T} s2s_{op}_{t}({T} a, {T} b)
{{
    return s2s_select_{t}(a {sign} b, a, b);
}}
"""
FLOOR_DIV = """/* a / b rounded down, for b > 0 */
static inline {T} s2s_floor_div_{t}({T} a, {T} b)
{{
    const {T} sign = a >> {last};
    return ({T})(((a ^ sign) / b) ^ sign);
}}
"""
FLOOR_MOD = """/* the remainder of a / b that is not negative, for b > 0 */
static inline {T} s2s_floor_mod_{t}({T} a, {T} b)
{{
    const {T} rest = a % b;
    return ({T})(rest + (b & (rest >> {last})));
}}
"""
DIV = """/* a / b with a remainder that is not negative; by zero 0; {F} is exact enough */
static inline {T} s2s_div_{t}({T} a, {T} b)
{{
    const int divisor = {divisor};
    const int quotient = (int)(({F})a / ({F})divisor), rest = a - quotient * divisor;
    const int one_less = (2 * (divisor > 0) - 1) & -(rest < 0);
    return ({T})((quotient - one_less) & -(b != 0));
}}
"""
MOD = """/* the remainder of a / b that is not negative; by zero 0; {F} is exact enough */
static inline {T} s2s_mod_{t}({T} a, {T} b)
{{
    const int divisor = {divisor};
    const int quotient = (int)(({F})a / ({F})divisor), rest = a - quotient * divisor;
    const int negative = divisor > 0 ? -divisor : divisor;
    return ({T})((rest - (negative & -(rest < 0))) & -(b != 0));
}}
"""
LONG_DIV = """/* a / b with a remainder that is not negative; by zero 0 */
static inline {T} s2s_div_{t}({T} a, {T} b)
{{
    if (b == 0)
        return 0;
    if (b == -1)
        return ({T})(0 - ({U})a);
    const {T} quotient = a / b, rest = a % b;
    return ({T})(rest < 0 ? quotient + (b > 0 ? -1 : 1) : quotient);
}}
"""
LONG_MOD = """/* the remainder of a / b that is not negative; by zero 0 */
static inline {T} s2s_mod_{t}({T} a, {T} b)
{{
    if (b == 0 || b == -1)
        return 0;
    const {T} rest = a % b;
    return ({T})(rest < 0 ? rest + (b > 0 ? b : -b) : rest);
}}
"""
DIV_TO_ZERO = """/* a / b rounded towards zero; by zero 0 */
static inline {T} s2s_div_round_to_zero_{t}({T} a, {T} b)
{{
    return b == 0 ? 0 : b == -1 ? ({T})(0 - ({U})a) : ({T})(a / b);
}}
"""
MOD_TO_ZERO = """/* the remainder of a / b, with the sign of a; by zero 0 */
static inline {T} s2s_mod_round_to_zero_{t}({T} a, {T} b)
{{
    return b == 0 || b == -1 ? 0 : ({T})(a % b);
}}
"""
SHORT_UNSIGNED_DIV = """/* a / b; by zero 0; float is exact enough */
static inline {T} s2s_div_{t}({T} a, {T} b)
{{
    return ({T})((int)((float)a / (float)(b + (b == 0))) & -(b != 0));
}}
"""
SHORT_UNSIGNED_MOD = """/* a modulo b; by zero 0; float is exact enough */
static inline {T} s2s_mod_{t}({T} a, {T} b)
{{
    return ({T})((a - (int)((float)a / (float)(b + (b == 0))) * b) & -(b != 0));
}}
"""
UNSIGNED_DIV = """/* a / b; by zero 0 */
static inline {T} s2s_div_{t}({T} a, {T} b)
{{
    return b ? ({T})(a / b) : 0;
}}
"""
UNSIGNED_MOD = """/* a modulo b; by zero 0 */
static inline {T} s2s_mod_{t}({T} a, {T} b)
{{
    return b ? ({T})(a % b) : 0;
}}
"""
SELECT = """/* c ? a : b without a branch */
static inline {T} s2s_select_{t}(bool c, {T} a, {T} b)
{{
    const {M} mask = -({M})c;
    return s2s_bits_{m}_{t}((s2s_bits_{t}_{m}(a) & mask) | (s2s_bits_{t}_{m}(b) & ~mask));
}}
"""
SHIFT = """/* a shifted by b bits {way}, the other way where b is negative */
static inline {T} s2s_{op}_{t}({T} a, {S} b)
{{
    return b < 0 ? ({T})({there}) : ({T})({here});
}}
"""
_FLOOR = """/* the greatest whole number up to x, without a branch or call */
static inline float s2s_floor_f32(float x)
{
    const bool small = fabsf(x) < 8388608.0f;
    const float inside = s2s_select_f32(small, x, 0.0f), near = (float)(int)inside;
    const float floor = near - s2s_select_f32(near > inside, 1.0f, 0.0f);
    const uint32_t sign = s2s_bits_f32_u32(x) & 0x80000000u;
    return s2s_select_f32(small, s2s_bits_u32_f32(s2s_bits_f32_u32(floor) | sign), x);
}
"""
_CEIL = """static inline float s2s_ceil_f32(float x)
{
    return -s2s_floor_f32(-x);
}
"""
_TRUNC = """static inline float s2s_trunc_f32(float x)
{
    const uint32_t sign = s2s_bits_f32_u32(x) & 0x80000000u;
    return s2s_bits_u32_f32(s2s_bits_f32_u32(s2s_floor_f32(fabsf(x))) | sign);
}
"""
FLOAT_MOD = """static inline {T} s2s_mod_{t}({T} a, {T} b)
{{
    return a - b * {floor}(a / b);
}}
"""
REINTERPRET = """static inline {T} s2s_bits_{s}_{t}({S} value)
{{
    {T} bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}}
"""
_LOG = """/* natural logarithm: the exponent, and a polynomial around 1 for the mantissa */
static inline float s2s_log_f32(float x)
{
    const int special = x <= 0.0f;
    const int bits = s2s_bits_f32_i32(special ? 1.0f : x);
    const int mantissa = bits & (int)0x807fffffu;
    const int biased = 127 - (mantissa >> 22);
    const int exponent = (bits >> 23) - biased;
    const float y = s2s_bits_i32_f32(mantissa | (biased << 23)) - 1.0f;
    const float y2 = y * y;
    float even = 0.05111976432738144643f, odd = -0.11793923497136414580f;
    even = even * y2 + 0.14971993724699017569f;
    odd = odd * y2 + -0.16862004708254804686f;
    even = even * y2 + 0.19980668101718729313f;
    odd = odd * y2 + -0.24991211576292837737f;
    even = even * y2 + 0.33333435275479328386f;
    odd = odd * y2 + -0.50000106292873236491f;
    even = even * y2 + 1.0f;
    odd = odd * y2;
    const float result = (even * y + odd) + (float)exponent * 0.693147182464599609375f;
    return s2s_select_f32(special, x < 0.0f ? NAN : -INFINITY, result);
}
"""
_EXP = """/* e to the x: a power of two, and a polynomial for the rest, without a branch or call */
static inline float s2s_exp_f32(float x)
{
    const float power = x * 1.44269502162933349609375f;
    const float low = s2s_select_f32(power > -1e9f, power, -1e9f);
    const int towards_zero = (int)low, floor = towards_zero - ((float)towards_zero > low);
    const int biased = (int)((unsigned)floor + 127);
    const float whole = (float)floor;
    const float y = (x - whole * 0.6931457519f) - whole * 1.4286067653e-6f;
    const float y2 = y * y;
    float even = 0.00031965933071842413f, odd = 0.00119156835564003744f;
    even = even * y2 + 0.00848988645943932717f;
    odd = odd * y2 + 0.04160188091348320655f;
    even = even * y2 + 0.16667983794100929562f;
    odd = odd * y2 + 0.49999899033463041098f;
    even = even * y2 + 1.0f;
    odd = odd * y2 + 1.0f;
    const float result = (even * y + odd) * s2s_bits_i32_f32((int)((unsigned)biased << 23));
    const float finite = s2s_select_f32(biased < 255, result, INFINITY);
    return s2s_select_f32(biased > 0, finite, 0.0f);
}
"""
_POW = """/* x to the y: exp(log(|x|) * y), with the sign and the exceptions of a power */
static inline float s2s_pow_f32(float x, float y)
{
    const float size = s2s_exp_f32(s2s_log_f32(fabsf(x)) * y);
    const float whole = s2s_floor_f32(y);
    const float odd = s2s_mod_f32(whole, 2.0f);
    const float negative = s2s_select_f32(odd == 0.0f, size, -size);
    const float of_zero = y == 0.0f ? 1.0f : 0.0f;
    const float other = s2s_select_f32(y != whole, NAN, negative);
    const float not_positive = s2s_select_f32((x == 0.0f) | (y == 0.0f), of_zero, other);
    return s2s_select_f32(x > 0.0f, size, not_positive);
}
"""
_FROM_FLOAT16 = """/* the value of a float16 */
static inline float s2s_from_float16(uint16_t half)
{
    const uint32_t size = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
    const float tiny = s2s_bits_u32_f32(size + 0x38800000u) - 0x1p-14f;
    const uint32_t large = size + (size >= 0x0f800000u ? 0x70000000u : 0x38000000u);
    return s2s_bits_u32_f32(sign | (size < 0x00800000u ? s2s_bits_f32_u32(tiny) : large));
}
"""
_TO_FLOAT16 = """/* the nearest float16, ties to even */
static inline uint16_t s2s_to_float16(float value)
{
    const uint32_t bits = s2s_bits_f32_u32(value), size = bits & 0x7fffffffu;
    const uint32_t tiny = s2s_bits_f32_u32(s2s_bits_u32_f32(size) + 0.5f) - 0x3f000000u;
    const uint32_t usual = (size - 0x38000000u + 0xfffu + (size >> 13 & 1)) >> 13;
    const uint32_t large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const uint32_t finite = size < 0x38800000u ? tiny : usual;
    return (uint16_t)((bits >> 16 & 0x8000u) | (size < 0x47800000u ? finite : large));
}
"""
_FROM_BFLOAT16 = """/* the value of a bfloat16 */
static inline float s2s_from_bfloat16(uint16_t upper)
{
    return s2s_bits_u32_f32((uint32_t)upper << 16);
}
"""
_TO_BFLOAT16 = """/* the nearest bfloat16, ties to even */
static inline uint16_t s2s_to_bfloat16(float value)
{
    const uint32_t bits = s2s_bits_f32_u32(value);
    const uint32_t nearest = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : nearest);
}
"""
_ROUND = """/* the nearest value that a {T} has */
static inline float s2s_round_{T}(float value)
{{
    return s2s_from_{T}(s2s_to_{T}(value));
}}
"""
_ODD_FLOAT = """/* towards zero, the last bit set if inexact: rounding this again rounds but once */
static inline float s2s_odd_float(double value)
{
    const float near = (float)value;
    const uint32_t beyond = fabs((double)near) > fabs(value), inexact = (double)near != value;
    return value != value ? near : s2s_bits_u32_f32((s2s_bits_f32_u32(near) - beyond) | inexact);
}
"""
_BITS = ("s2s_bits_f32_u32", "s2s_bits_u32_f32")
FIXED = {
    "s2s_floor_f32": (_FLOOR, ("s2s_select_f32", *_BITS)),
    "s2s_ceil_f32": (_CEIL, ("s2s_floor_f32",)),
    "s2s_trunc_f32": (_TRUNC, ("s2s_floor_f32", *_BITS)),
    "s2s_log_f32": (_LOG, ("s2s_bits_f32_i32", "s2s_bits_i32_f32", "s2s_select_f32")),
    "s2s_exp_f32": (_EXP, ("s2s_bits_i32_f32", "s2s_select_f32")),
    "s2s_from_float16": (_FROM_FLOAT16, _BITS),
    "s2s_to_float16": (_TO_FLOAT16, _BITS),
    "s2s_from_bfloat16": (_FROM_BFLOAT16, ("s2s_bits_u32_f32",)),
    "s2s_to_bfloat16": (_TO_BFLOAT16, ("s2s_bits_f32_u32",)),
    **{
        f"s2s_round_{type}": (_ROUND.format(T=type), (f"s2s_from_{type}", f"s2s_to_{type}"))
        for type in ("float16", "bfloat16")
    },
    "s2s_odd_float": (_ODD_FLOAT, _BITS),
    "s2s_pow_f32": (
        _POW,
        ("s2s_exp_f32", "s2s_log_f32", "s2s_floor_f32", "s2s_mod_f32", "s2s_select_f32"),
    ),
}
