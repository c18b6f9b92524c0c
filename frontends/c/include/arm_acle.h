/* The scalar part of the Arm C Language Extensions, for the parser, see arm_neon.h. */
#ifndef S2S_ARM_ACLE_H
#define S2S_ARM_ACLE_H

#include <s2s_intrinsic.h>
#include <stdint.h>

S2S_INTRINSIC uint32_t __crc32b S2S_ANY, __crc32h S2S_ANY, __crc32w S2S_ANY, __crc32d S2S_ANY,
  __crc32cb S2S_ANY, __crc32ch S2S_ANY, __crc32cw S2S_ANY, __crc32cd S2S_ANY, __ror S2S_ANY,
  __rev S2S_ANY, __rev16 S2S_ANY, __rbit S2S_ANY, __arm_rsr S2S_ANY;
S2S_INTRINSIC uint64_t __rorll S2S_ANY, __revll S2S_ANY, __rev16ll S2S_ANY, __rbitll S2S_ANY,
  __arm_rsr64 S2S_ANY;
S2S_INTRINSIC unsigned __clz S2S_ANY, __clzl S2S_ANY, __clzll S2S_ANY, __cls S2S_ANY,
  __clsl S2S_ANY, __clsll S2S_ANY;
S2S_INTRINSIC int16_t __revsh S2S_ANY;
S2S_INTRINSIC int32_t __ssat S2S_ANY, __usat S2S_ANY, __qadd S2S_ANY, __qsub S2S_ANY,
  __qdbl S2S_ANY, __smlabb S2S_ANY, __smulbb S2S_ANY, __smultt S2S_ANY, __jcvt S2S_ANY;
S2S_INTRINSIC void __dmb S2S_ANY, __dsb S2S_ANY, __isb S2S_ANY, __pld S2S_ANY, __pldx S2S_ANY,
  __pli S2S_ANY, __plix S2S_ANY, __arm_wsr S2S_ANY, __arm_wsr64 S2S_ANY;
S2S_INTRINSIC void __nop S2S_ANY, __yield S2S_ANY, __wfe S2S_ANY, __wfi S2S_ANY, __sev S2S_ANY,
  __sevl S2S_ANY;

#endif
