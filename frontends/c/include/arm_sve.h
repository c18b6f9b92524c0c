/* Intrinsics of Arm's Scalable Vector Extension as the Arm C Language Extensions name them, for the
 * parser, see arm_neon.h. Vectors of unknown length have a length here; nobody asks for it. */
#ifndef S2S_ARM_SVE_H
#define S2S_ARM_SVE_H

#include <arm_neon.h>

#define S2S_SVE_TYPE(kind, bits)                                                                  \
  typedef kind##bits##_t sv##kind##bits##_t __attribute__((__vector_size__(32)));                 \
  typedef struct { sv##kind##bits##_t vectors[2]; } sv##kind##bits##x2_t;                         \
  typedef struct { sv##kind##bits##_t vectors[3]; } sv##kind##bits##x3_t;                         \
  typedef struct { sv##kind##bits##_t vectors[4]; } sv##kind##bits##x4_t;
S2S_SVE_TYPE(int, 8) S2S_SVE_TYPE(int, 16) S2S_SVE_TYPE(int, 32) S2S_SVE_TYPE(int, 64)
S2S_SVE_TYPE(uint, 8) S2S_SVE_TYPE(uint, 16) S2S_SVE_TYPE(uint, 32) S2S_SVE_TYPE(uint, 64)
S2S_SVE_TYPE(float, 16) S2S_SVE_TYPE(float, 32) S2S_SVE_TYPE(float, 64) S2S_SVE_TYPE(bfloat, 16)
typedef struct { unsigned char lanes[32]; } svbool_t;
enum svpattern {
  SV_POW2, SV_VL1, SV_VL2, SV_VL3, SV_VL4, SV_VL5, SV_VL6, SV_VL7, SV_VL8, SV_VL16, SV_VL32,
  SV_VL64, SV_VL128, SV_VL256, SV_MUL4 = 29, SV_MUL3, SV_ALL
};
enum svprfop {
  SV_PLDL1KEEP, SV_PLDL1STRM, SV_PLDL2KEEP, SV_PLDL2STRM, SV_PLDL3KEEP, SV_PLDL3STRM,
  SV_PSTL1KEEP = 8, SV_PSTL1STRM, SV_PSTL2KEEP, SV_PSTL2STRM, SV_PSTL3KEEP, SV_PSTL3STRM
};

/* Each with its lanes in the name, and without, where the arguments tell. */
#define S2S_SVE_FLOATS(m, operation)                                                              \
  m(operation, f16, svfloat16_t, float16_t) m(operation, f32, svfloat32_t, float32_t)             \
  m(operation, f64, svfloat64_t, float64_t)
#define S2S_SVE_ALL(m, operation)                                                                 \
  m(operation, s8, svint8_t, int8_t) m(operation, s16, svint16_t, int16_t)                        \
  m(operation, s32, svint32_t, int32_t) m(operation, s64, svint64_t, int64_t)                     \
  m(operation, u8, svuint8_t, uint8_t) m(operation, u16, svuint16_t, uint16_t)                    \
  m(operation, u32, svuint32_t, uint32_t) m(operation, u64, svuint64_t, uint64_t)                 \
  S2S_SVE_FLOATS(m, operation)

#define S2S_SVE_SAME_OF(operation, lanes, vector, scalar)                                         \
  S2S_INTRINSIC vector sv##operation##_##lanes S2S_ANY, sv##operation##_##lanes##_m S2S_ANY,      \
    sv##operation##_##lanes##_x S2S_ANY, sv##operation##_##lanes##_z S2S_ANY,                     \
    sv##operation##_n_##lanes S2S_ANY, sv##operation##_n_##lanes##_m S2S_ANY,                     \
    sv##operation##_n_##lanes##_x S2S_ANY, sv##operation##_n_##lanes##_z S2S_ANY,                 \
    sv##operation##_m(svbool_t, vector, ...), sv##operation##_x(svbool_t, vector, ...),           \
    sv##operation##_z(svbool_t, vector, ...), sv##operation(vector, ...),                         \
    sv##operation(svbool_t, vector, ...), sv##operation##_lane_##lanes S2S_ANY,                   \
    sv##operation##_lane(vector, ...);
#define S2S_SVE_LOAD_OF(operation, lanes, vector, scalar)                                         \
  S2S_INTRINSIC vector sv##operation##_##lanes S2S_ANY, sv##operation##_vnum_##lanes S2S_ANY,     \
    sv##operation(svbool_t, const scalar *, ...),                                                 \
    sv##operation##_vnum(svbool_t, const scalar *, ...),                                          \
    sv##operation##_gather_index(svbool_t, const scalar *, ...),                                  \
    sv##operation##_gather_offset(svbool_t, const scalar *, ...);
#define S2S_SVE_STORE_OF(operation, lanes, vector, scalar)                                        \
  S2S_INTRINSIC void sv##operation##_##lanes S2S_ANY, sv##operation##_vnum_##lanes S2S_ANY,       \
    sv##operation(svbool_t, scalar *, ...), sv##operation##_vnum(svbool_t, scalar *, ...),        \
    sv##operation##_scatter_index(svbool_t, scalar *, ...),                                       \
    sv##operation##_scatter_offset(svbool_t, scalar *, ...);
#define S2S_SVE_FROM_SCALAR_OF(operation, lanes, vector, scalar)                                  \
  S2S_INTRINSIC vector sv##operation##_##lanes S2S_ANY, sv##operation##_n_##lanes S2S_ANY,        \
    sv##operation##_n_##lanes##_m S2S_ANY, sv##operation##_n_##lanes##_x S2S_ANY,                 \
    sv##operation##_n_##lanes##_z S2S_ANY, sv##operation##_lane_##lanes S2S_ANY;
#define S2S_SVE_ONE_OF(operation, lanes, vector, scalar)                                          \
  S2S_INTRINSIC scalar sv##operation##_##lanes S2S_ANY, sv##operation(svbool_t, vector, ...);
#define S2S_SVE_COMPARED_OF(operation, lanes, vector, scalar)                                     \
  S2S_INTRINSIC svbool_t sv##operation##_##lanes S2S_ANY, sv##operation##_n_##lanes S2S_ANY,      \
    sv##operation##_wide_##lanes S2S_ANY, sv##operation(svbool_t, vector, ...);
#define S2S_SVE_CAST_OF(operation, lanes, vector, scalar)                                         \
  S2S_SVE_CASTS(vector, lanes, s8) S2S_SVE_CASTS(vector, lanes, s16)                              \
  S2S_SVE_CASTS(vector, lanes, s32) S2S_SVE_CASTS(vector, lanes, s64)                             \
  S2S_SVE_CASTS(vector, lanes, u8) S2S_SVE_CASTS(vector, lanes, u16)                              \
  S2S_SVE_CASTS(vector, lanes, u32) S2S_SVE_CASTS(vector, lanes, u64)                             \
  S2S_SVE_CASTS(vector, lanes, f16) S2S_SVE_CASTS(vector, lanes, f32)                             \
  S2S_SVE_CASTS(vector, lanes, f64)                                                               \
  S2S_INTRINSIC vector svreinterpret_##lanes S2S_ANY, svcvt_##lanes##_m S2S_ANY,                  \
    svcvt_##lanes##_x S2S_ANY, svcvt_##lanes##_z S2S_ANY;
#define S2S_SVE_CASTS(vector, lanes, from)                                                        \
  S2S_INTRINSIC vector svreinterpret_##lanes##_##from S2S_ANY,                                    \
    svcvt_##lanes##_##from##_m S2S_ANY, svcvt_##lanes##_##from##_x S2S_ANY,                       \
    svcvt_##lanes##_##from##_z S2S_ANY;

S2S_SVE_ALL(S2S_SVE_SAME_OF, add) S2S_SVE_ALL(S2S_SVE_SAME_OF, sub) S2S_SVE_ALL(S2S_SVE_SAME_OF,
subr) S2S_SVE_ALL(S2S_SVE_SAME_OF, mul) S2S_SVE_ALL(S2S_SVE_SAME_OF, mulh)
S2S_SVE_ALL(S2S_SVE_SAME_OF, div) S2S_SVE_ALL(S2S_SVE_SAME_OF, divr) S2S_SVE_ALL(S2S_SVE_SAME_OF,
abs) S2S_SVE_ALL(S2S_SVE_SAME_OF, neg) S2S_SVE_ALL(S2S_SVE_SAME_OF, max)
S2S_SVE_ALL(S2S_SVE_SAME_OF, min) S2S_SVE_ALL(S2S_SVE_SAME_OF, maxnm) S2S_SVE_ALL(S2S_SVE_SAME_OF,
minnm) S2S_SVE_ALL(S2S_SVE_SAME_OF, abd) S2S_SVE_ALL(S2S_SVE_SAME_OF, and)
S2S_SVE_ALL(S2S_SVE_SAME_OF, orr) S2S_SVE_ALL(S2S_SVE_SAME_OF, eor) S2S_SVE_ALL(S2S_SVE_SAME_OF,
bic) S2S_SVE_ALL(S2S_SVE_SAME_OF, not) S2S_SVE_ALL(S2S_SVE_SAME_OF, lsl)
S2S_SVE_ALL(S2S_SVE_SAME_OF, lsr) S2S_SVE_ALL(S2S_SVE_SAME_OF, asr) S2S_SVE_ALL(S2S_SVE_SAME_OF,
cls) S2S_SVE_ALL(S2S_SVE_SAME_OF, clz) S2S_SVE_ALL(S2S_SVE_SAME_OF, cnt)
S2S_SVE_ALL(S2S_SVE_SAME_OF, mla) S2S_SVE_ALL(S2S_SVE_SAME_OF, mls) S2S_SVE_ALL(S2S_SVE_SAME_OF,
mad) S2S_SVE_ALL(S2S_SVE_SAME_OF, msb) S2S_SVE_ALL(S2S_SVE_SAME_OF, sel)
S2S_SVE_ALL(S2S_SVE_SAME_OF, ext) S2S_SVE_ALL(S2S_SVE_SAME_OF, splice) S2S_SVE_ALL(S2S_SVE_SAME_OF,
compact) S2S_SVE_ALL(S2S_SVE_SAME_OF, rev) S2S_SVE_ALL(S2S_SVE_SAME_OF, zip1)
S2S_SVE_ALL(S2S_SVE_SAME_OF, zip2) S2S_SVE_ALL(S2S_SVE_SAME_OF, uzp1) S2S_SVE_ALL(S2S_SVE_SAME_OF,
uzp2) S2S_SVE_ALL(S2S_SVE_SAME_OF, trn1) S2S_SVE_ALL(S2S_SVE_SAME_OF, trn2)
S2S_SVE_ALL(S2S_SVE_SAME_OF, tbl) S2S_SVE_ALL(S2S_SVE_SAME_OF, qadd) S2S_SVE_ALL(S2S_SVE_SAME_OF,
qsub) S2S_SVE_ALL(S2S_SVE_SAME_OF, insr) S2S_SVE_ALL(S2S_SVE_SAME_OF, clasta)
S2S_SVE_ALL(S2S_SVE_SAME_OF, clastb) S2S_SVE_ALL(S2S_SVE_SAME_OF, rbit) S2S_SVE_ALL(S2S_SVE_SAME_OF,
revb) S2S_SVE_ALL(S2S_SVE_SAME_OF, revh) S2S_SVE_ALL(S2S_SVE_SAME_OF, revw)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, sqrt) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, nmla)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, nmls) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, nmad)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, nmsb) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rinta)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rintn) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rintm)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rintp) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rintx)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rinti) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rintz)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, recpe) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, recps)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rsqrte) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, rsqrts)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, scale) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, cmla)
S2S_SVE_FLOATS(S2S_SVE_SAME_OF, cadd) S2S_SVE_FLOATS(S2S_SVE_SAME_OF, mulx)
S2S_SVE_ALL(S2S_SVE_LOAD_OF, ld1) S2S_SVE_ALL(S2S_SVE_LOAD_OF, ldff1) S2S_SVE_ALL(S2S_SVE_LOAD_OF,
ldnf1) S2S_SVE_ALL(S2S_SVE_LOAD_OF, ldnt1) S2S_SVE_ALL(S2S_SVE_LOAD_OF, ld1rq)
S2S_SVE_ALL(S2S_SVE_LOAD_OF, ld1ro)
S2S_SVE_ALL(S2S_SVE_STORE_OF, st1) S2S_SVE_ALL(S2S_SVE_STORE_OF, stnt1)
S2S_SVE_ALL(S2S_SVE_STORE_OF, st2) S2S_SVE_ALL(S2S_SVE_STORE_OF, st3) S2S_SVE_ALL(S2S_SVE_STORE_OF,
st4)
S2S_SVE_ALL(S2S_SVE_FROM_SCALAR_OF, dup) S2S_SVE_ALL(S2S_SVE_FROM_SCALAR_OF, index)
S2S_SVE_ALL(S2S_SVE_FROM_SCALAR_OF, dupq)
S2S_SVE_ALL(S2S_SVE_ONE_OF, addv) S2S_SVE_ALL(S2S_SVE_ONE_OF, maxv) S2S_SVE_ALL(S2S_SVE_ONE_OF,
minv) S2S_SVE_ALL(S2S_SVE_ONE_OF, maxnmv) S2S_SVE_ALL(S2S_SVE_ONE_OF, minnmv)
S2S_SVE_ALL(S2S_SVE_ONE_OF, andv) S2S_SVE_ALL(S2S_SVE_ONE_OF, orv) S2S_SVE_ALL(S2S_SVE_ONE_OF, eorv)
S2S_SVE_ALL(S2S_SVE_ONE_OF, lasta) S2S_SVE_ALL(S2S_SVE_ONE_OF, lastb) S2S_SVE_ALL(S2S_SVE_ONE_OF,
adda)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmpeq) S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmpne)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmplt) S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmple)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmpgt) S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmpge)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, cmpuo) S2S_SVE_ALL(S2S_SVE_COMPARED_OF, acgt)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, acge) S2S_SVE_ALL(S2S_SVE_COMPARED_OF, aclt)
S2S_SVE_ALL(S2S_SVE_COMPARED_OF, acle)
S2S_SVE_ALL(S2S_SVE_CAST_OF, cvt)

#define S2S_SVE_PREDICATES(bits)                                                                  \
  S2S_INTRINSIC svbool_t svptrue_b##bits S2S_ANY, svptrue_pat_b##bits S2S_ANY,                    \
    svwhilelt_b##bits S2S_ANY, svwhilele_b##bits S2S_ANY, svwhilelt_b##bits##_s32 S2S_ANY,        \
    svwhilelt_b##bits##_s64 S2S_ANY, svwhilelt_b##bits##_u32 S2S_ANY,                             \
    svwhilelt_b##bits##_u64 S2S_ANY, svpnext_b##bits S2S_ANY, svdupq_b##bits S2S_ANY,             \
    svdup_n_b##bits S2S_ANY, svwhilele_b##bits##_s32 S2S_ANY, svwhilele_b##bits##_s64 S2S_ANY,    \
    svwhilele_b##bits##_u32 S2S_ANY, svwhilele_b##bits##_u64 S2S_ANY, svzip1_b##bits S2S_ANY,     \
    svzip2_b##bits S2S_ANY, svuzp1_b##bits S2S_ANY, svuzp2_b##bits S2S_ANY;                       \
  S2S_INTRINSIC uint64_t svcntp_b##bits S2S_ANY;
S2S_SVE_PREDICATES(8) S2S_SVE_PREDICATES(16) S2S_SVE_PREDICATES(32) S2S_SVE_PREDICATES(64)
svbool_t svpfalse(void), svpfalse_b(void), svrdffr(void);
S2S_INTRINSIC svbool_t svand_b_z S2S_ANY, svorr_b_z S2S_ANY, sveor_b_z S2S_ANY, svnot_b_z S2S_ANY,
  svbic_b_z S2S_ANY, svnand_b_z S2S_ANY, svnor_b_z S2S_ANY, svorn_b_z S2S_ANY, svmov_b_z S2S_ANY,
  svbrka_b_z S2S_ANY, svbrkb_b_z S2S_ANY, svbrkn_b_z S2S_ANY, svpfirst_b S2S_ANY,
  svrdffr_z S2S_ANY;
void svsetffr(void), svwrffr(svbool_t);
S2S_INTRINSIC _Bool svptest_any S2S_ANY, svptest_first S2S_ANY, svptest_last S2S_ANY;
S2S_INTRINSIC uint64_t svlen S2S_ANY, svcntb_pat S2S_ANY, svcnth_pat S2S_ANY, svcntw_pat S2S_ANY,
  svcntd_pat S2S_ANY;
uint64_t svcntb(void), svcnth(void), svcntw(void), svcntd(void);
S2S_INTRINSIC void svprfb S2S_ANY, svprfh S2S_ANY, svprfw S2S_ANY, svprfd S2S_ANY;
S2S_INTRINSIC svint32_t svdot_s32 S2S_ANY, svdot(svint32_t, ...);
S2S_INTRINSIC svuint32_t svdot_u32 S2S_ANY, svdot(svuint32_t, ...);
S2S_INTRINSIC svint64_t svdot_s64 S2S_ANY, svdot(svint64_t, ...);
S2S_INTRINSIC svuint64_t svdot_u64 S2S_ANY, svdot(svuint64_t, ...);

#endif
