/* Cilk as Emu's compiler has it, in words that any C parser reads. */
#ifndef S2S_EMU_CILK_H
#define S2S_EMU_CILK_H

void __cilk_sync(void);
void __cilk_hint(const void *where);

#define cilk_spawn __cilk_spawn +
#define cilk_spawn_at(where) __cilk_spawn_at(where) +
#define cilk_sync __cilk_sync()
#define cilk_for while (__cilk_for) for
#define cilk_migrate_hint(where) __cilk_hint(where)
#define _Cilk_spawn cilk_spawn
#define _Cilk_sync cilk_sync
#define _Cilk_for cilk_for

#endif
