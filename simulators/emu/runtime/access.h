/* What each access of a program for Emu passes through: addresses with owners, and counters.

   The program is compiled natively behind this header, which declares nothing without the prefix
   s2s_ and takes no system header in. Threads run one after another, each to its end where it is
   spawned; a thread's clock says when it would have been where. S2S_N (nodelets) and the C_...
   (cycles) come from the machine's file. */
#ifndef S2S_EMU_ACCESS_H
#define S2S_EMU_ACCESS_H

typedef const volatile void *s2s_address;
typedef unsigned long s2s_size;
#define S2S_RUN __attribute__((unused)) static inline
/* What stands at each access: a call, because gcc takes long over many copies of it. */
#define S2S_CALL __attribute__((unused, noinline)) static

/* ---- Addresses say who owns them. ----
   The arena has views, as Emu's addresses have: view 0 is replicated memory (whoever asks has a
   copy), view 1 has a zone for each nodelet, its copies below its heap, and view 2 striped memory.
   Memory outside of the arena is the program's static data and the host's: nodelet 0's. */
#define S2S_ARENA 0x200000000000ul
#define S2S_NODE_BITS 33
#define S2S_VIEW_SHIFT 43
#define S2S_HALF (1ul << (S2S_NODE_BITS - 1))

extern int s2s_at; /* the nodelet where the running thread is */

/* The first thread takes home what it reads elsewhere, but what it means by replicated memory is
   the copy where it has read last: that is what is computed, whatever it costs. */
extern int s2s_is_framed, s2s_seen;

S2S_RUN s2s_size s2s_view_of(s2s_address p)
{
    return ((s2s_size)p - S2S_ARENA) >> S2S_VIEW_SHIFT;
}

/* The nodelet that an address of view 1 names. */
S2S_RUN int s2s_named(s2s_address p)
{
    return (s2s_size)p >> S2S_NODE_BITS & ((1 << (S2S_VIEW_SHIFT - S2S_NODE_BITS)) - 1);
}

S2S_RUN int s2s_owner(s2s_address p)
{
    s2s_size view = s2s_view_of(p);
    if (view == 2)
        return ((s2s_size)p & ((1ul << S2S_VIEW_SHIFT) - 1)) / 8 % S2S_N;
    if (view == 1)
        return s2s_named(p);
    return view == 0 ? s2s_at : 0;
}

/* The copy of replicated memory that is meant where the thread is. */
S2S_RUN void *s2s_view(s2s_address p)
{
    s2s_size at = s2s_is_framed ? s2s_seen : s2s_at;
    s2s_size moved = (1ul << S2S_VIEW_SHIFT) + (at << S2S_NODE_BITS);
    return s2s_view_of(p) == 0 ? (char *)p + moved : (void *)p;
}

/* ---- Counters, and the clock of the running thread in cycles. ---- */
struct s2s_counters {
    long outbound, created, died, loads, stores, atomics, remotes, received, work;
};
extern struct s2s_counters s2s_counters[S2S_N];
extern long s2s_sites[], s2s_remote_sites[]; /* by place in the program, which defines them */
extern const int s2s_site_count;
extern long s2s_clock, s2s_acknowledged; /* the latter: when remote packets are answered */
extern int s2s_hint;                     /* where the next thread is to start, or -1 */

void s2s_migrate(int to, int site);

S2S_RUN void s2s_reach(int nodelet, int site)
{
    if (nodelet != s2s_at)
        s2s_migrate(nodelet, site);
    s2s_seen = nodelet;
}

#define S2S_WORDS(bytes) (((bytes) + 7) / 8)

/* The first thread has its variables in its frame, where it uses what it has loaded: it takes it
   there, and keeps what it loads again before somebody stores it. Others have all in registers. */
#define S2S_KEPT 4096
extern s2s_address s2s_kept[S2S_KEPT];
void s2s_fetch(s2s_address p, s2s_size bytes, int site);

/* Values that it has in registers besides, in the order in which it got them. A loop begins without
   them, and so does what follows it: nobody knows which iteration's they are. */
#define S2S_REGISTERS 4
extern long s2s_fetched;
S2S_RUN void s2s_turn(void)
{
    if (s2s_is_framed)
        s2s_fetched += S2S_REGISTERS;
}

/* Words next to each other, and those at the same place of two zones, have slots of their own. */
S2S_RUN int s2s_slot(s2s_address p)
{
    return ((s2s_size)p / 8 + ((s2s_size)p >> (S2S_NODE_BITS - 1)) * 521) % S2S_KEPT;
}

S2S_RUN void s2s_forget(s2s_address p, s2s_size bytes)
{
    for (s2s_size k = 0; k < bytes; k += 8) {
        s2s_address word = (const volatile char *)p + k;
        if (s2s_kept[s2s_slot(word)] == word)
            s2s_kept[s2s_slot(word)] = 0;
    }
}

S2S_CALL void *s2s_load(s2s_address p, s2s_size bytes, int site)
{
    int to = s2s_owner(p);
    if (to != s2s_at && s2s_is_framed) {
        s2s_fetch(p, bytes, site);
        s2s_seen = to;
        return (void *)p;
    }
    if (s2s_view_of(p) != 0)
        s2s_reach(to, site);
    s2s_counters[s2s_at].loads += S2S_WORDS(bytes);
    s2s_clock += C_LOAD * S2S_WORDS(bytes);
    return s2s_view(p);
}

S2S_RUN void s2s_packet(int to, int site)
{
    if (to == s2s_at)
        return;
    s2s_counters[s2s_at].remotes++;
    s2s_counters[to].received++;
    s2s_remote_sites[site]++;
    s2s_acknowledged = s2s_clock + C_REMOTE_ROUND_TRIP;
}

S2S_CALL void *s2s_store(s2s_address p, s2s_size bytes, int site)
{
    int to = s2s_owner(p);
    s2s_packet(to, site);
    s2s_forget(p, bytes);
    s2s_counters[to].stores += S2S_WORDS(bytes);
    s2s_clock += C_STORE * S2S_WORDS(bytes);
    return s2s_view(p);
}

S2S_CALL void *s2s_update(s2s_address p, s2s_size bytes, int site)
{
    s2s_load(p, bytes, site);
    return s2s_store(p, bytes, site);
}

S2S_RUN void s2s_work(long operations)
{
    s2s_counters[s2s_at].work += operations;
    s2s_clock += C_OPERATION * operations;
}

#define S2S_LOAD(place, site) \
    (*({ __auto_type s2s_p = &(place); \
         (__typeof__(s2s_p))s2s_load(s2s_p, sizeof *s2s_p, site); }))
#define S2S_STORE(place, value, site) \
    ({ __auto_type s2s_p = &(place); \
       *(__typeof__(s2s_p))s2s_store(s2s_p, sizeof *s2s_p, site) = (value); })
#define S2S_TO(place, site) \
    (*({ __auto_type s2s_p = &(place); \
         (__typeof__(s2s_p))s2s_store(s2s_p, sizeof *s2s_p, site); }))
#define S2S_STORE_AFTER(place, value, site) \
    ({ __auto_type s2s_v = (value); S2S_STORE(place, s2s_v, site); })
/* The first value of a variable, which may be a constant. */
#define S2S_INITIAL(variable, value, site) \
    ({ __typeof__(*(variable)) s2s_v = (value); \
       __builtin_memcpy(s2s_store((variable), sizeof s2s_v, site), (void *)&s2s_v, sizeof s2s_v); })
#define S2S_UPDATE(place, site) \
    (*({ __auto_type s2s_p = &(place); \
         (__typeof__(s2s_p))s2s_update(s2s_p, sizeof *s2s_p, site); }))
#define S2S_UPDATE_AFTER(place, operation, value, site) \
    ({ __auto_type s2s_v = (value); S2S_UPDATE(place, site) operation s2s_v; })
#define S2S_SEEN(pointer) \
    ({ __auto_type s2s_p = (pointer); (__typeof__(s2s_p))s2s_view(s2s_p); })

/* ---- Operations on memory by name: a value takes the thread there, a remote one does not. ---- */
S2S_CALL long *s2s_go(volatile long *p, int site)
{
    int home = s2s_at, there = s2s_view_of(p) == 0 ? s2s_seen : s2s_owner(p);
    s2s_reach(s2s_owner(p), site);
    s2s_forget(p, 8);
    s2s_counters[s2s_at].atomics++;
    s2s_clock += C_ATOMIC;
    s2s_seen = there;
    void *seen = s2s_view(p);
    if (s2s_is_framed) {
        s2s_reach(home, site);
        s2s_seen = there;
    }
    return seen;
}

S2S_CALL long *s2s_send(volatile long *p, int site)
{
    int to = s2s_owner(p);
    s2s_packet(to, site);
    s2s_forget(p, 8);
    s2s_counters[to].atomics++;
    s2s_clock += C_STORE;
    return s2s_view(p);
}

#define S2S_FAMILY(NAME, result_of_m_and_v) \
    S2S_RUN long s2s_ATOMIC_##NAME(int site, volatile long *p, long v) \
    { long m = *s2s_go(p, site); return result_of_m_and_v; } \
    S2S_RUN long s2s_ATOMIC_##NAME##S(int site, volatile long *p, long v) \
    { long *s = s2s_go(p, site), m = *s; *s = v; return result_of_m_and_v; } \
    S2S_RUN long s2s_ATOMIC_##NAME##M(int site, volatile long *p, long v) \
    { long *s = s2s_go(p, site), m = *s; return *s = result_of_m_and_v; } \
    S2S_RUN long s2s_ATOMIC_##NAME##MS(int site, volatile long *p, long v) \
    { long *s = s2s_go(p, site), m = *s; *s = result_of_m_and_v; return m; } \
    S2S_RUN void s2s_REMOTE_##NAME(int site, volatile long *p, long v) \
    { long *s = s2s_send(p, site), m = *s; *s = result_of_m_and_v; }
S2S_FAMILY(ADD, (long)((s2s_size)m + (s2s_size)v))
S2S_FAMILY(AND, m & v)
S2S_FAMILY(OR, m | v)
S2S_FAMILY(XOR, m ^ v)
S2S_FAMILY(MAX, m > v ? m : v)
S2S_FAMILY(MIN, m < v ? m : v)

S2S_RUN long s2s_ATOMIC_CAS(int site, volatile long *p, long replacement, long expected)
{
    long *s = s2s_go(p, site), old = *s;
    *s = old == expected ? replacement : old;
    return old;
}

S2S_RUN long s2s_ATOMIC_SWAP(int site, volatile long *p, long replacement)
{
    long *s = s2s_go(p, site), old = *s;
    *s = replacement;
    return old;
}

S2S_RUN void s2s_FENCE(int site)
{
    if (s2s_clock < s2s_acknowledged)
        s2s_clock = s2s_acknowledged;
}

S2S_RUN void s2s_MIGRATE(int site, s2s_address p) { s2s_reach(s2s_owner(p), site); }
S2S_RUN void s2s___cilk_hint(int site, s2s_address p) { s2s_hint = s2s_owner(p); }
S2S_RUN long s2s_NODE_ID(int site) { return s2s_is_framed ? s2s_seen : s2s_at; }
S2S_RUN long s2s_NODELETS(int site) { return S2S_N; }
S2S_RUN long s2s_NUM_NODES(int site) { return S2S_N; }
S2S_RUN long s2s_CLOCK(int site) { return s2s_clock; }
S2S_RUN long s2s_BYTES_PER_NODELET(int site) { return S2S_BYTES; }
S2S_RUN void s2s_RESCHEDULE(int site) {}
S2S_RUN void s2s_RESIZE(int site) {}
S2S_RUN long s2s_PRIORITY(int site, long value) { return value ? 63 - __builtin_clzl(value) : 0; }
S2S_RUN long s2s_POPCNT(int site, long sum, volatile long *p)
{
    return sum + __builtin_popcountl(*s2s_go(p, site));
}
long s2s_THREAD_ID(int site);

/* ---- Memory (memory.c). ---- */
long *s2s_mw_malloc1dlong(int site, s2s_size elements);
void *s2s_mw_malloc2d(int site, s2s_size blocks, s2s_size bytes);
void *s2s_mw_localmalloc(int site, s2s_size bytes, s2s_address beside);
void *s2s_mw_mallocrepl(int site, s2s_size bytes);
void s2s_mw_free(int site, s2s_address memory);
void s2s_mw_localfree(int site, s2s_address memory);
void *s2s_mw_arrayindex(int site, s2s_address array, s2s_size block, s2s_size blocks,
                        s2s_size bytes);
void *s2s_mw_get_nth(int site, s2s_address view, long nodelet);
void *s2s_mw_get_localto(int site, s2s_address view, s2s_address beside);
long s2s_mw_ptrtonodelet(int site, s2s_address memory);
void s2s_mw_replicated_init(int site, long *view, long value);
void s2s_mw_replicated_init_multiple(int site, long *view, long (*value)(long));
void s2s_mw_replicated_init_generic(int site, void *view, void (*set)(void *, long));
void *s2s_replicate(s2s_address initial, s2s_size bytes);
void *s2s_variable(s2s_size bytes, int home);
void s2s_drop(void *variable);
void *s2s_malloc(int site, s2s_size bytes);
void *s2s_calloc(int site, s2s_size count, s2s_size bytes);
void *s2s_realloc(int site, void *memory, s2s_size bytes);
void s2s_free(int site, void *memory);
void *s2s_memcpy(int site, void *to, const void *from, s2s_size bytes);
void *s2s_memmove(int site, void *to, const void *from, s2s_size bytes);
void *s2s_memset(int site, void *to, int value, s2s_size bytes);

/* ---- Threads (threads.c). ---- */
typedef struct {
    int home;    /* the nodelet of the frame: to spawn and to synchronize is done there */
    long latest; /* when the last child ended that nobody has waited for */
} s2s_frame;

typedef struct {
    s2s_frame *frame;
    long clock, acknowledged, id, began;
    int is_framed;
} s2s_thread;

/* A cilk_for halves its range; the ends of the halving are threads of `grain` iterations, but for
   the last one, which the spawner runs itself. `todo` are the iterations of no piece yet. */
typedef struct {
    s2s_thread child;
    s2s_frame *frame;
    long todo, left, grain, delay;
    int site, running, is_framed;
} s2s_loop;

S2S_RUN s2s_frame s2s_enter(void) { return (s2s_frame){s2s_at, 0}; }
void s2s_leave(s2s_frame *frame);
s2s_thread s2s_spawn(s2s_frame *frame, int site);
void s2s_end(s2s_thread *child, int site);
void s2s_sync(s2s_frame *frame, int site);
s2s_loop s2s_loop_begin(s2s_frame *frame, long count, long grain, int site);
void s2s_loop_next(s2s_loop *loop);
void s2s_loop_end(s2s_loop *loop);

/* ---- emu_c_utils (helpers.c) and named regions (report.c). ---- */
typedef __builtin_va_list s2s_list;
void s2s_emu_local_for(int site, long begin, long end, long grain,
                       void (*worker)(long, long, s2s_list), ...);
void s2s_emu_local_for_var(int site, long begin, long end, long grain,
                           void (*worker)(long, long, s2s_list), s2s_list);
void s2s_emu_local_for_set_long(int site, long *array, long size, long value);
void s2s_emu_local_for_copy_long(int site, long *to, long *from, long size);
void s2s_emu_1d_array_apply(int site, long *array, long size, long grain,
                            void (*worker)(long *, long, long, s2s_list), ...);
void s2s_emu_1d_array_apply_var(int site, long *array, long size, long grain,
                                void (*worker)(long *, long, long, s2s_list), s2s_list);
long s2s_emu_1d_array_reduce_sum(int site, long *array, long size, long grain,
                                 void (*worker)(long *, long, long, long *, s2s_list), ...);
long s2s_emu_1d_array_reduce_sum_var(int site, long *array, long size, long grain,
                                     void (*worker)(long *, long, long, long *, s2s_list),
                                     s2s_list);
void s2s_emu_1d_array_set_long(int site, long *array, long size, long value);
void s2s_starttiming(int site);
void s2s_stoptiming(int site);
void s2s_lu_profile_perfcntr(int site, int what, const char *name);
void s2s_hooks_region_begin(int site, const char *name);
double s2s_hooks_region_end(int site, ...);
S2S_RUN void s2s_hooks_set_active_region(int site, const char *name) {}
S2S_RUN void s2s_hooks_set_attr_i64(int site, const char *key, long value) {}
S2S_RUN void s2s_hooks_set_attr_u64(int site, const char *key, s2s_size value) {}
S2S_RUN void s2s_hooks_set_attr_f64(int site, const char *key, double value) {}
S2S_RUN void s2s_hooks_set_attr_str(int site, const char *key, const char *value) {}

#endif
