/* Intrinsics of Arm's Advanced SIMD as the Arm C Language Extensions name them, for the parser.
 *
 * A name is an operation, perhaps a q for 128 bits, perhaps a form (with a scalar, with a lane of
 * a vector), and the lanes. All forms are declared for every operation and all lanes, though not
 * every one exists: what a program does not call costs nothing, and what it calls is not looked
 * into. In s2s_neon_operations.h operations stand by what they give. */
#ifndef S2S_ARM_NEON_H
#define S2S_ARM_NEON_H

#include <s2s_intrinsic.h>
#include <stdint.h>

typedef float float32_t;
typedef double float64_t;
typedef _Float16 float16_t;
typedef short bfloat16_t;
typedef uint8_t poly8_t;
typedef uint16_t poly16_t;
typedef uint64_t poly64_t;
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 poly128_t;
#else
typedef struct { uint64_t halves[2]; } poly128_t;
#endif

/* Vectors of 64 and 128 bits, and two to four of them. */
#define S2S_NEON_TUPLES(vector, name)                                                             \
  typedef struct name##x2_t { vector val[2]; } name##x2_t;                                        \
  typedef struct name##x3_t { vector val[3]; } name##x3_t;                                        \
  typedef struct name##x4_t { vector val[4]; } name##x4_t;
#define S2S_NEON_TYPES(kind, bits, half, whole)                                                   \
  typedef kind##bits##_t kind##bits##x##half##_t __attribute__((__vector_size__(8)));             \
  typedef kind##bits##_t kind##bits##x##whole##_t __attribute__((__vector_size__(16)));           \
  S2S_NEON_TUPLES(kind##bits##x##half##_t, kind##bits##x##half)                                   \
  S2S_NEON_TUPLES(kind##bits##x##whole##_t, kind##bits##x##whole)
S2S_NEON_TYPES(int, 8, 8, 16)
S2S_NEON_TYPES(int, 16, 4, 8)
S2S_NEON_TYPES(int, 32, 2, 4)
S2S_NEON_TYPES(int, 64, 1, 2)
S2S_NEON_TYPES(uint, 8, 8, 16)
S2S_NEON_TYPES(uint, 16, 4, 8)
S2S_NEON_TYPES(uint, 32, 2, 4)
S2S_NEON_TYPES(uint, 64, 1, 2)
S2S_NEON_TYPES(float, 16, 4, 8)
S2S_NEON_TYPES(float, 32, 2, 4)
S2S_NEON_TYPES(float, 64, 1, 2)
S2S_NEON_TYPES(bfloat, 16, 4, 8)
S2S_NEON_TYPES(poly, 8, 8, 16)
S2S_NEON_TYPES(poly, 16, 4, 8)
S2S_NEON_TYPES(poly, 64, 1, 2)

/* What the lanes are called in the names of intrinsics: one, a vector d or q of them, and tuples. */
#define S2S_NEON_SUFFIX(suffix, kind, bits, half, whole)                                          \
  typedef kind##bits##_t s2s_one_##suffix;                                                        \
  typedef kind##bits##x##half##_t s2s_d_##suffix;                                                 \
  typedef kind##bits##x##whole##_t s2s_q_##suffix;                                                \
  typedef kind##bits##x##half##x2_t s2s_d2_##suffix;                                              \
  typedef kind##bits##x##half##x3_t s2s_d3_##suffix;                                              \
  typedef kind##bits##x##half##x4_t s2s_d4_##suffix;                                              \
  typedef kind##bits##x##whole##x2_t s2s_q2_##suffix;                                             \
  typedef kind##bits##x##whole##x3_t s2s_q3_##suffix;                                             \
  typedef kind##bits##x##whole##x4_t s2s_q4_##suffix;
S2S_NEON_SUFFIX(s8, int, 8, 8, 16)
S2S_NEON_SUFFIX(s16, int, 16, 4, 8)
S2S_NEON_SUFFIX(s32, int, 32, 2, 4)
S2S_NEON_SUFFIX(s64, int, 64, 1, 2)
S2S_NEON_SUFFIX(u8, uint, 8, 8, 16)
S2S_NEON_SUFFIX(u16, uint, 16, 4, 8)
S2S_NEON_SUFFIX(u32, uint, 32, 2, 4)
S2S_NEON_SUFFIX(u64, uint, 64, 1, 2)
S2S_NEON_SUFFIX(f16, float, 16, 4, 8)
S2S_NEON_SUFFIX(f32, float, 32, 2, 4)
S2S_NEON_SUFFIX(f64, float, 64, 1, 2)
S2S_NEON_SUFFIX(bf16, bfloat, 16, 4, 8)
S2S_NEON_SUFFIX(p8, poly, 8, 8, 16)
S2S_NEON_SUFFIX(p16, poly, 16, 4, 8)
S2S_NEON_SUFFIX(p64, poly, 64, 1, 2)

/* Lanes with the lanes in which they compare, are twice as wide, and half as wide. */
#define S2S_NEON_SMALL(m, operation)                                                              \
  m(operation, s8, u8, s16) m(operation, u8, u8, u16) m(operation, p8, u8, p16)
#define S2S_NEON_MIDDLE(m, operation)                                                             \
  m(operation, s16, u16, s32) m(operation, u16, u16, u32) m(operation, s32, u32, s64)             \
  m(operation, u32, u32, u64) m(operation, f16, u16, f32) m(operation, f32, u32, f64)
#define S2S_NEON_LARGE(m, operation)                                                              \
  m(operation, s64, u64, s64) m(operation, u64, u64, u64) m(operation, f64, u64, f64)             \
  m(operation, p16, u16, p16) m(operation, p64, u64, p64) m(operation, bf16, u16, f32)
#define S2S_NEON_WIDENING(m, operation) S2S_NEON_SMALL(m, operation) S2S_NEON_MIDDLE(m, operation)
#define S2S_NEON_ALL(m, operation) S2S_NEON_WIDENING(m, operation) S2S_NEON_LARGE(m, operation)
#define S2S_NEON_NARROWING(m, operation)                                                          \
  m(operation, s16, s8, u8) m(operation, s32, s16, u16) m(operation, s64, s32, u32)               \
  m(operation, u16, u8, u8) m(operation, u32, u16, u16) m(operation, u64, u32, u32)

/* Forms of a name: whole vectors, a scalar, a lane. */
#define S2S_NEON_FORMS(type, name, lanes)                                                         \
  S2S_INTRINSIC type name##_##lanes S2S_ANY, name##_n_##lanes S2S_ANY,                            \
    name##_lane_##lanes S2S_ANY, name##_laneq_##lanes S2S_ANY;

#define S2S_NEON_SAME_OF(operation, lanes, compared, wide)                                        \
  S2S_INTRINSIC s2s_d_##lanes v##operation##_##lanes S2S_ANY;                                     \
  S2S_INTRINSIC s2s_q_##lanes v##operation##q_##lanes S2S_ANY;
#define S2S_NEON_FORMS_OF(operation, lanes, compared, wide)                                       \
  S2S_NEON_FORMS(s2s_d_##lanes, v##operation, lanes)                                              \
  S2S_NEON_FORMS(s2s_q_##lanes, v##operation##q, lanes)
#define S2S_NEON_SCALARS_OF(operation, lanes, compared, wide)                                     \
  S2S_INTRINSIC s2s_one_##lanes v##operation##b_##lanes S2S_ANY, v##operation##h_##lanes S2S_ANY, \
    v##operation##s_##lanes S2S_ANY, v##operation##d_##lanes S2S_ANY,                             \
    v##operation##s_n_##lanes S2S_ANY, v##operation##d_n_##lanes S2S_ANY;
#define S2S_NEON_LOAD_OF(operation, lanes, compared, wide)                                        \
  S2S_NEON_FORMS(s2s_d_##lanes, v##operation, lanes)                                              \
  S2S_NEON_FORMS(s2s_q_##lanes, v##operation##q, lanes)                                           \
  S2S_INTRINSIC s2s_d_##lanes v##operation##_dup_##lanes S2S_ANY;                                 \
  S2S_INTRINSIC s2s_q_##lanes v##operation##q_dup_##lanes S2S_ANY;                                \
  S2S_NEON_TUPLE_OF(2, operation, lanes, _x2)                                                     \
  S2S_NEON_TUPLE_OF(3, operation, lanes, _x3)                                                     \
  S2S_NEON_TUPLE_OF(4, operation, lanes, _x4)
#define S2S_NEON_TUPLE_OF(count, operation, lanes, behind)                                        \
  S2S_INTRINSIC s2s_d##count##_##lanes v##operation##_##lanes##behind S2S_ANY;                    \
  S2S_INTRINSIC s2s_q##count##_##lanes v##operation##q_##lanes##behind S2S_ANY;
#define S2S_NEON_TUPLE_FORMS(count, operation, lanes)                                             \
  S2S_INTRINSIC s2s_d##count##_##lanes v##operation##_##lanes S2S_ANY,                            \
    v##operation##_dup_##lanes S2S_ANY, v##operation##_lane_##lanes S2S_ANY;                      \
  S2S_INTRINSIC s2s_q##count##_##lanes v##operation##q_##lanes S2S_ANY,                           \
    v##operation##q_dup_##lanes S2S_ANY, v##operation##q_lane_##lanes S2S_ANY;
#define S2S_NEON_TWO_OF(operation, lanes, c, w) S2S_NEON_TUPLE_FORMS(2, operation, lanes)
#define S2S_NEON_THREE_OF(operation, lanes, c, w) S2S_NEON_TUPLE_FORMS(3, operation, lanes)
#define S2S_NEON_FOUR_OF(operation, lanes, c, w) S2S_NEON_TUPLE_FORMS(4, operation, lanes)
#define S2S_NEON_STORE_OF(operation, lanes, compared, wide)                                       \
  S2S_NEON_FORMS(void, v##operation, lanes)                                                       \
  S2S_NEON_FORMS(void, v##operation##q, lanes)                                                    \
  S2S_INTRINSIC void v##operation##_##lanes##_x2 S2S_ANY,                                         \
    v##operation##_##lanes##_x3 S2S_ANY, v##operation##_##lanes##_x4 S2S_ANY,                     \
    v##operation##q_##lanes##_x2 S2S_ANY, v##operation##q_##lanes##_x3 S2S_ANY,                   \
    v##operation##q_##lanes##_x4 S2S_ANY;
#define S2S_NEON_COMPARED_OF(operation, lanes, compared, wide)                                    \
  S2S_INTRINSIC s2s_d_##compared v##operation##_##lanes S2S_ANY, v##operation##_n_##lanes S2S_ANY;\
  S2S_INTRINSIC s2s_q_##compared v##operation##q_##lanes S2S_ANY,                                 \
    v##operation##q_n_##lanes S2S_ANY;                                                            \
  S2S_INTRINSIC s2s_one_##compared v##operation##b_##lanes S2S_ANY,                               \
    v##operation##h_##lanes S2S_ANY, v##operation##s_##lanes S2S_ANY,                             \
    v##operation##d_##lanes S2S_ANY;
#define S2S_NEON_WIDE_OF(operation, lanes, compared, wide)                                        \
  S2S_NEON_FORMS(s2s_q_##wide, v##operation, lanes)                                               \
  S2S_NEON_FORMS(s2s_q_##wide, v##operation##_high, lanes)
#define S2S_NEON_PAIRS_OF(operation, lanes, compared, wide)                                       \
  S2S_INTRINSIC s2s_d_##wide v##operation##_##lanes S2S_ANY;                                      \
  S2S_INTRINSIC s2s_q_##wide v##operation##q_##lanes S2S_ANY;
#define S2S_NEON_NARROW_OF(operation, lanes, narrow, unsigned_narrow)                             \
  S2S_NEON_FORMS(s2s_d_##narrow, v##operation, lanes)                                             \
  S2S_NEON_FORMS(s2s_q_##narrow, v##operation##_high, lanes)
#define S2S_NEON_UNSIGNED_NARROW_OF(operation, lanes, narrow, unsigned_narrow)                    \
  S2S_NEON_FORMS(s2s_d_##unsigned_narrow, v##operation, lanes)                                    \
  S2S_NEON_FORMS(s2s_q_##unsigned_narrow, v##operation##_high, lanes)
#define S2S_NEON_ONE_OF(operation, lanes, compared, wide)                                         \
  S2S_INTRINSIC s2s_one_##lanes v##operation##_##lanes S2S_ANY, v##operation##q_##lanes S2S_ANY,  \
    v##operation##_lane_##lanes S2S_ANY, v##operation##q_lane_##lanes S2S_ANY,                    \
    v##operation##_laneq_##lanes S2S_ANY, v##operation##s_##lanes S2S_ANY,                        \
    v##operation##d_##lanes S2S_ANY;
#define S2S_NEON_WIDE_ONE_OF(operation, lanes, compared, wide)                                    \
  S2S_INTRINSIC s2s_one_##wide v##operation##_##lanes S2S_ANY, v##operation##q_##lanes S2S_ANY,   \
    v##operation##h_##lanes S2S_ANY, v##operation##s_##lanes S2S_ANY;
#define S2S_NEON_HALF_OF(operation, lanes, compared, wide)                                        \
  S2S_INTRINSIC s2s_d_##lanes v##operation##_##lanes S2S_ANY;
#define S2S_NEON_WHOLE_OF(operation, lanes, compared, wide)                                       \
  S2S_INTRINSIC s2s_q_##lanes v##operation##_##lanes S2S_ANY;
#define S2S_NEON_FROM(lanes, from)                                                                \
  S2S_INTRINSIC s2s_d_##lanes vreinterpret_##lanes##_##from S2S_ANY;                              \
  S2S_INTRINSIC s2s_q_##lanes vreinterpretq_##lanes##_##from S2S_ANY;
#define S2S_NEON_REINTERPRETED_OF(operation, lanes, compared, wide)                               \
  S2S_NEON_FROM(lanes, s8) S2S_NEON_FROM(lanes, s16) S2S_NEON_FROM(lanes, s32)                    \
  S2S_NEON_FROM(lanes, s64) S2S_NEON_FROM(lanes, u8) S2S_NEON_FROM(lanes, u16)                    \
  S2S_NEON_FROM(lanes, u32) S2S_NEON_FROM(lanes, u64) S2S_NEON_FROM(lanes, f16)                   \
  S2S_NEON_FROM(lanes, f32) S2S_NEON_FROM(lanes, f64) S2S_NEON_FROM(lanes, bf16)                  \
  S2S_NEON_FROM(lanes, p8) S2S_NEON_FROM(lanes, p16) S2S_NEON_FROM(lanes, p64)                    \
  S2S_NEON_FROM(lanes, p128)

#include <s2s_neon_operations.h>

#endif
