/* Emu's allocation, atomic and remote operations (declarations; runtime.h has what they do). */
#ifndef S2S_EMU_MEMORYWEB_H
#define S2S_EMU_MEMORYWEB_H

/* Programs rely on these coming along. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <memoryweb/timing.h>

/* Nothing else on this machine is local to a thread. */
#define replicated _Thread_local
#define noinline
#define MAXDEPTH() 255L

/* Addresses: view 0 is replicated, view 1 names its nodelet, view 2 is striped (runtime/access.h). */
#define __MW_NODE_BITS__ 33
#define __MW_VIEW_SHIFT__ 43
#define __MW_VIEW_MASK__ (3ul << __MW_VIEW_SHIFT__)
#define __MW_VIEW1_NODE_MASK__ (1023ul << __MW_NODE_BITS__)
#define __MW_VIEW_SHARED__ 0ul

/* Memory: striped by words, by blocks, beside other memory, one copy for each nodelet. */
long *mw_malloc1dlong(size_t elements);
void *mw_malloc2d(size_t blocks, size_t bytes);
void *mw_localmalloc(size_t bytes, const void *beside);
void *mw_mallocrepl(size_t bytes);
void mw_free(const void *memory);
void mw_localfree(const void *memory);
void *mw_arrayindex(const void *array2d, unsigned long block, unsigned long blocks, size_t bytes);
void mw_replicated_init(long *view, long value);
void mw_replicated_init_multiple(long *view, long (*value)(long nodelet));
void mw_replicated_init_generic(void *view, void (*set)(void *copy, long nodelet));
void *mw_get_nth(const void *view, long nodelet);
void *mw_get_localto(const void *view, const void *beside);
long mw_ptrtonodelet(const void *memory);

/* The thread and the machine. */
void MIGRATE(const void *where);
void FENCE(void);
void RESCHEDULE(void);
void RESIZE(void);
long PRIORITY(long value); /* the place of the highest bit that is set */
long POPCNT(long sum, const long *memory); /* the sum and the bits that are set there */
long NODE_ID(void);
long NODELETS(void);
long NUM_NODES(void);
long THREAD_ID(void);
long CLOCK(void);
long BYTES_PER_NODELET(void);

/* Atomics return a value, so the thread goes to the memory; remote operations do not.
   S: the operand is stored; M: the result is stored; MS: it is, and the old value comes back. */
long ATOMIC_CAS(volatile long *memory, long replacement, long expected);
long ATOMIC_SWAP(volatile long *memory, long replacement);
long ATOMIC_ADD(volatile long *memory, long operand);
long ATOMIC_ADDS(volatile long *memory, long operand);
long ATOMIC_ADDM(volatile long *memory, long operand);
long ATOMIC_ADDMS(volatile long *memory, long operand);
long ATOMIC_AND(volatile long *memory, long operand);
long ATOMIC_ANDS(volatile long *memory, long operand);
long ATOMIC_ANDM(volatile long *memory, long operand);
long ATOMIC_ANDMS(volatile long *memory, long operand);
long ATOMIC_OR(volatile long *memory, long operand);
long ATOMIC_ORS(volatile long *memory, long operand);
long ATOMIC_ORM(volatile long *memory, long operand);
long ATOMIC_ORMS(volatile long *memory, long operand);
long ATOMIC_XOR(volatile long *memory, long operand);
long ATOMIC_XORS(volatile long *memory, long operand);
long ATOMIC_XORM(volatile long *memory, long operand);
long ATOMIC_XORMS(volatile long *memory, long operand);
long ATOMIC_MAX(volatile long *memory, long operand);
long ATOMIC_MAXS(volatile long *memory, long operand);
long ATOMIC_MAXM(volatile long *memory, long operand);
long ATOMIC_MAXMS(volatile long *memory, long operand);
long ATOMIC_MIN(volatile long *memory, long operand);
long ATOMIC_MINS(volatile long *memory, long operand);
long ATOMIC_MINM(volatile long *memory, long operand);
long ATOMIC_MINMS(volatile long *memory, long operand);
void REMOTE_ADD(volatile long *memory, long operand);
void REMOTE_AND(volatile long *memory, long operand);
void REMOTE_OR(volatile long *memory, long operand);
void REMOTE_XOR(volatile long *memory, long operand);
void REMOTE_MAX(volatile long *memory, long operand);
void REMOTE_MIN(volatile long *memory, long operand);

#endif
