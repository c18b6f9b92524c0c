/* Intrinsics of x86 as their vendor documents them, for the parser: compilers' own headers use
 * built-in functions that libclang does not know.
 *
 * An intrinsic is named after its operation, in up to three widths, plain, and under a mask that
 * merges or zeroes. All of them are declared for every operation, though not every machine has
 * each: what a program does not call costs nothing, and what it calls is not looked into. They
 * take anything, and can be defined again by a program that wants one of another version. */
#ifndef S2S_X86_H
#define S2S_X86_H

#include <mm_malloc.h>
#include <s2s_intrinsic.h>
#include <stddef.h>
#include <stdint.h>

#define S2S_VECTOR(element, bytes, name, inner, loose)                                            \
  typedef element name __attribute__((__vector_size__(bytes), __may_alias__));                    \
  typedef element inner __attribute__((__vector_size__(bytes)));                                  \
  typedef element loose __attribute__((__vector_size__(bytes), __may_alias__, __aligned__(1)));

S2S_VECTOR(float, 16, __m128, __v4sf, __m128_u)
S2S_VECTOR(float, 32, __m256, __v8sf, __m256_u)
S2S_VECTOR(float, 64, __m512, __v16sf, __m512_u)
S2S_VECTOR(double, 16, __m128d, __v2df, __m128d_u)
S2S_VECTOR(double, 32, __m256d, __v4df, __m256d_u)
S2S_VECTOR(double, 64, __m512d, __v8df, __m512d_u)
S2S_VECTOR(long long, 16, __m128i, __v2di, __m128i_u)
S2S_VECTOR(long long, 32, __m256i, __v4di, __m256i_u)
S2S_VECTOR(long long, 64, __m512i, __v8di, __m512i_u)
S2S_VECTOR(_Float16, 16, __m128h, __v8hf, __m128h_u)
S2S_VECTOR(_Float16, 32, __m256h, __v16hf, __m256h_u)
S2S_VECTOR(_Float16, 64, __m512h, __v32hf, __m512h_u)
typedef long long __m64 __attribute__((__vector_size__(8), __may_alias__));
typedef float __v2sf __attribute__((__vector_size__(8)));
typedef int __v2si __attribute__((__vector_size__(8)));
typedef short __v4hi __attribute__((__vector_size__(8)));
typedef char __v8qi __attribute__((__vector_size__(8)));
typedef short __bfloat16;
typedef short __m128bh __attribute__((__vector_size__(16), __may_alias__));
typedef short __m256bh __attribute__((__vector_size__(32), __may_alias__));
typedef short __m512bh __attribute__((__vector_size__(64), __may_alias__));

typedef int __v4si __attribute__((__vector_size__(16)));
typedef int __v8si __attribute__((__vector_size__(32)));
typedef int __v16si __attribute__((__vector_size__(64)));
typedef short __v8hi __attribute__((__vector_size__(16)));
typedef short __v16hi __attribute__((__vector_size__(32)));
typedef short __v32hi __attribute__((__vector_size__(64)));
typedef char __v16qi __attribute__((__vector_size__(16)));
typedef char __v32qi __attribute__((__vector_size__(32)));
typedef char __v64qi __attribute__((__vector_size__(64)));
typedef signed char __v16qs __attribute__((__vector_size__(16)));
typedef unsigned char __v16qu __attribute__((__vector_size__(16)));
typedef unsigned char __v32qu __attribute__((__vector_size__(32)));
typedef unsigned char __v64qu __attribute__((__vector_size__(64)));
typedef unsigned short __v8hu __attribute__((__vector_size__(16)));
typedef unsigned short __v16hu __attribute__((__vector_size__(32)));
typedef unsigned short __v32hu __attribute__((__vector_size__(64)));
typedef unsigned __v4su __attribute__((__vector_size__(16)));
typedef unsigned __v8su __attribute__((__vector_size__(32)));
typedef unsigned __v16su __attribute__((__vector_size__(64)));
typedef unsigned long long __v2du __attribute__((__vector_size__(16)));
typedef unsigned long long __v4du __attribute__((__vector_size__(32)));
typedef unsigned long long __v8du __attribute__((__vector_size__(64)));

typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;

enum _mm_hint {
  _MM_HINT_IT0 = 19, _MM_HINT_IT1 = 18, _MM_HINT_ET0 = 7, _MM_HINT_T0 = 3, _MM_HINT_T1 = 2,
  _MM_HINT_T2 = 1, _MM_HINT_NTA = 0, _MM_HINT_ENTA = 4, _MM_HINT_ET1 = 6, _MM_HINT_ET2 = 5
};
typedef int _MM_PERM_ENUM, _MM_MANTISSA_NORM_ENUM, _MM_MANTISSA_SIGN_ENUM, _MM_CMPINT_ENUM;
typedef int _MM_INDEX_SCALE, _MM_TERNLOG_ENUM;
enum {
  _MM_MANT_NORM_1_2, _MM_MANT_NORM_p5_2, _MM_MANT_NORM_p5_1, _MM_MANT_NORM_p75_1p5,
  _MM_MANT_SIGN_src = 0, _MM_MANT_SIGN_zero, _MM_MANT_SIGN_nan
};

/* What the parser has of its own, and so exactly one declaration. */
#ifdef __cplusplus
extern "C" {
#endif
unsigned long long __rdtsc(void);
unsigned _mm_getcsr(void);
void _mm_lfence(void);
void _mm_mfence(void);
void _mm_pause(void);
void _mm_sfence(void);
#ifdef __cplusplus
}
#endif

#define _MM_SHUFFLE(d, c, b, a) (((d) << 6) | ((c) << 4) | ((b) << 2) | (a))
#define _MM_SHUFFLE2(b, a) (((b) << 1) | (a))
#define _MM_MK_INSERTPS_NDX(s, d, m) (((s) << 6) | ((d) << 4) | (m))
#define _MM_PICK_OUT_PS(x, n) _mm_insert_ps(_mm_setzero_ps(), (x), _MM_MK_INSERTPS_NDX((n), 0, 14))
#define _MM_EXTRACT_FLOAT(d, s, n) { (d) = ((__v4sf)(s))[n]; }
#define _MM_TRANSPOSE4_PS(a, b, c, d)                                                             \
  do { (a) = (b) = (c) = (d) = _mm_movelh_ps((a), (b), (c), (d)); } while (0)
#define _MM_GET_DENORMALS_ZERO_MODE() (_mm_getcsr() & _MM_DENORMALS_ZERO_MASK)
#define _MM_SET_DENORMALS_ZERO_MODE(mode)                                                         \
  _mm_setcsr((_mm_getcsr() & ~_MM_DENORMALS_ZERO_MASK) | (mode))
#define _XABORT_CODE(x) (((x) >> 24) & 0xFF)

#define S2S_IN_ALL_WIDTHS(suffix, operation)                                                      \
  S2S_MASKED(__m128##suffix, _mm, operation)                                                      \
  S2S_MASKED(__m256##suffix, _mm256, operation)                                                   \
  S2S_MASKED(__m512##suffix, _mm512, operation)
#define S2S_MASKED(type, prefix, operation)                                                       \
  S2S_INTRINSIC type prefix##_##operation S2S_ANY, prefix##_mask_##operation S2S_ANY,             \
    prefix##_maskz_##operation S2S_ANY;
#define S2S_INTEGERS(operation) S2S_IN_ALL_WIDTHS(i, operation)
#define S2S_FLOATS(operation) S2S_IN_ALL_WIDTHS(, operation)
#define S2S_DOUBLES(operation) S2S_IN_ALL_WIDTHS(d, operation)
#define S2S_HALVES(operation) S2S_IN_ALL_WIDTHS(h, operation)
#define S2S_BRAINS(operation) S2S_IN_ALL_WIDTHS(bh, operation)
#define S2S_MASKS(small, middle, large, operation)                                                \
  S2S_INTRINSIC small _mm_##operation S2S_ANY, _mm_mask_##operation S2S_ANY;                      \
  S2S_INTRINSIC middle _mm256_##operation S2S_ANY, _mm256_mask_##operation S2S_ANY;               \
  S2S_INTRINSIC large _mm512_##operation S2S_ANY, _mm512_mask_##operation S2S_ANY;
#define S2S_MASKS_8(operation) S2S_MASKS(__mmask16, __mmask32, __mmask64, operation)
#define S2S_MASKS_16(operation) S2S_MASKS(__mmask8, __mmask16, __mmask32, operation)
#define S2S_MASKS_32(operation) S2S_MASKS(__mmask8, __mmask8, __mmask16, operation)
#define S2S_MASKS_64(operation) S2S_MASKS(__mmask8, __mmask8, __mmask8, operation)

#include <s2s_x86_constants.h>
#include <s2s_x86_floats.h>
#include <s2s_x86_integers.h>
#include <s2s_x86_masks.h>
#include <s2s_x86_scalars.h>
#include <s2s_x86_vectors.h>

#endif
