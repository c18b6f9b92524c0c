/* Constants of the intrinsics of x86. */
#define _CMP_EQ_OQ 0x00
#define _CMP_EQ_OS 0x10
#define _CMP_EQ_UQ 0x08
#define _CMP_EQ_US 0x18
#define _CMP_FALSE_OQ 0x0b
#define _CMP_FALSE_OS 0x1b
#define _CMP_GE_OQ 0x1d
#define _CMP_GE_OS 0x0d
#define _CMP_GT_OQ 0x1e
#define _CMP_GT_OS 0x0e
#define _CMP_LE_OQ 0x12
#define _CMP_LE_OS 0x02
#define _CMP_LT_OQ 0x11
#define _CMP_LT_OS 0x01
#define _CMP_NEQ_OQ 0x0c
#define _CMP_NEQ_OS 0x1c
#define _CMP_NEQ_UQ 0x04
#define _CMP_NEQ_US 0x14
#define _CMP_NGE_UQ 0x19
#define _CMP_NGE_US 0x09
#define _CMP_NGT_UQ 0x1a
#define _CMP_NGT_US 0x0a
#define _CMP_NLE_UQ 0x16
#define _CMP_NLE_US 0x06
#define _CMP_NLT_UQ 0x15
#define _CMP_NLT_US 0x05
#define _CMP_ORD_Q 0x07
#define _CMP_ORD_S 0x17
#define _CMP_TRUE_UQ 0x0f
#define _CMP_TRUE_US 0x1f
#define _CMP_UNORD_Q 0x03
#define _CMP_UNORD_S 0x13
#define _MM_CMPINT_EQ 0x0
#define _MM_CMPINT_GE 0x5
#define _MM_CMPINT_GT 0x6
#define _MM_CMPINT_LE 0x2
#define _MM_CMPINT_LT 0x1
#define _MM_CMPINT_NE 0x4
#define _MM_CMPINT_NLE 0x6
#define _MM_CMPINT_NLT 0x5
#define _MM_CMPINT_UNUSED 0x3
#define _MM_DENORMALS_ZERO_MASK 0x0040
#define _MM_DENORMALS_ZERO_OFF 0x0000
#define _MM_DENORMALS_ZERO_ON 0x0040
#define _MM_EXCEPT_DENORM 0x0002
#define _MM_EXCEPT_DIV_ZERO 0x0004
#define _MM_EXCEPT_INEXACT 0x0020
#define _MM_EXCEPT_INVALID 0x0001
#define _MM_EXCEPT_MASK 0x003f
#define _MM_EXCEPT_OVERFLOW 0x0008
#define _MM_EXCEPT_UNDERFLOW 0x0010
#define _MM_FLUSH_ZERO_MASK 0x8000
#define _MM_FLUSH_ZERO_OFF 0x0000
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FROUND_CEIL (_MM_FROUND_TO_POS_INF | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_CUR_DIRECTION 0x04
#define _MM_FROUND_FLOOR (_MM_FROUND_TO_NEG_INF | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_NEARBYINT (_MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC)
#define _MM_FROUND_NINT (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_NO_EXC 0x08
#define _MM_FROUND_RAISE_EXC 0x00
#define _MM_FROUND_RINT (_MM_FROUND_CUR_DIRECTION | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_TO_NEAREST_INT 0x00
#define _MM_FROUND_TO_NEG_INF 0x01
#define _MM_FROUND_TO_POS_INF 0x02
#define _MM_FROUND_TO_ZERO 0x03
#define _MM_FROUND_TRUNC (_MM_FROUND_TO_ZERO | _MM_FROUND_RAISE_EXC)
#define _MM_MALLOC_H_INCLUDED
#define _MM_MASK_DENORM 0x0100
#define _MM_MASK_DIV_ZERO 0x0200
#define _MM_MASK_INEXACT 0x1000
#define _MM_MASK_INVALID 0x0080
#define _MM_MASK_MASK 0x1f80
#define _MM_MASK_OVERFLOW 0x0400
#define _MM_MASK_UNDERFLOW 0x0800
#define _MM_ROUND_DOWN 0x2000
#define _MM_ROUND_MASK 0x6000
#define _MM_ROUND_NEAREST 0x0000
#define _MM_ROUND_TOWARD_ZERO 0x6000
#define _MM_ROUND_UP 0x4000
#define _SIDD_BIT_MASK 0x00
#define _SIDD_CMP_EQUAL_ANY 0x00
#define _SIDD_CMP_EQUAL_EACH 0x08
#define _SIDD_CMP_EQUAL_ORDERED 0x0c
#define _SIDD_CMP_RANGES 0x04
#define _SIDD_LEAST_SIGNIFICANT 0x00
#define _SIDD_MASKED_NEGATIVE_POLARITY 0x30
#define _SIDD_MASKED_POSITIVE_POLARITY 0x20
#define _SIDD_MOST_SIGNIFICANT 0x40
#define _SIDD_NEGATIVE_POLARITY 0x10
#define _SIDD_POSITIVE_POLARITY 0x00
#define _SIDD_SBYTE_OPS 0x02
#define _SIDD_SWORD_OPS 0x03
#define _SIDD_UBYTE_OPS 0x00
#define _SIDD_UNIT_MASK 0x40
#define _SIDD_UWORD_OPS 0x01
#define _XABORT_CAPACITY (1 << 3)
#define _XABORT_CONFLICT (1 << 2)
#define _XABORT_DEBUG (1 << 4)
#define _XABORT_EXPLICIT (1 << 0)
#define _XABORT_NESTED (1 << 5)
#define _XABORT_RETRY (1 << 1)
#define _XBEGIN_STARTED (~0u)
#define _kand_mask16 _mm512_kand
#define _kandn_mask16 _mm512_kandn
#define _knot_mask16 _mm512_knot
#define _kor_mask16 _mm512_kor
#define _kxnor_mask16 _mm512_kxnor
#define _kxor_mask16 _mm512_kxor
#define _mm512_undefined _mm512_undefined_ps
#define _mm512_undefined_si512 _mm512_undefined_epi32
