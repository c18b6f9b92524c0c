/* How intrinsics are declared: with anything for arguments, and beside definitions of a program's
 * own, which the parser then prefers. */
#ifndef S2S_INTRINSIC_H
#define S2S_INTRINSIC_H

#define S2S_ANY (...)
#ifdef __cplusplus
#define S2S_INTRINSIC
#else
#define S2S_INTRINSIC __attribute__((__overloadable__))
#endif

#endif
