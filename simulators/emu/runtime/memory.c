/* The machine's memory: zones of the arena, blocks in them, and copies of replicated data. */
#include "machine.h"

/* Where blocks are taken from: striped memory, the heap of each nodelet, replicated memory as all
   see it, and the copies of each nodelet. */
#define STRIPED 0
#define VIEW 1
#define HEAP 2
#define COPIES (HEAP + N)
#define ZONES (HEAP + 2 * N)

static struct {
    s2s_size used, usable; /* bytes from the zone's start */
    void *free[64];        /* blocks given back, by the logarithm of their size */
} zones[ZONES];

_Noreturn static void fail(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "emu: %s\n", what);
    _exit(112);
}

static char *view_from(s2s_size view, s2s_size nodelet)
{
    return (char *)(S2S_ARENA + (view << S2S_VIEW_SHIFT) + (nodelet << S2S_NODE_BITS));
}

static void reserve(char *wanted, s2s_size bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(wanted, bytes, PROT_NONE, flags, -1, 0) != wanted)
        fail("there is no room for the machine's addresses");
}

static void reserve_addresses(void)
{
    reserve(view_from(0, 0), 2 * S2S_HALF);
    reserve(view_from(1, 0), N * 2 * S2S_HALF);
    reserve(view_from(2, 0), N * 2 * S2S_HALF);
}

static char *start_of(int zone)
{
    if (zone == STRIPED || zone == VIEW)
        return view_from(zone == VIEW ? 0 : 2, 0);
    return view_from(1, (zone - HEAP) % N) + (zone < COPIES ? S2S_HALF : 0);
}

/* The zone of an address, ZONES for memory outside of the arena. */
static int zone_of(s2s_address p)
{
    s2s_size view = s2s_view_of(p);
    if (view != 1)
        return view == 0 ? VIEW : view == 2 ? STRIPED : ZONES;
    int nodelet = s2s_named(p);
    return nodelet >= N ? ZONES : ((s2s_size)p & S2S_HALF ? HEAP : COPIES) + nodelet;
}

static void make_usable(int zone, s2s_size bytes)
{
    s2s_size most = S2S_BYTES * (zone == STRIPED ? N : 1ul), step = 1ul << 22;
    while (step < bytes / 2)
        step *= 2;
    s2s_size wanted = (bytes + step - 1) / step * step;
    if (bytes > most || wanted > (zone == STRIPED ? 2 * N : 1) * S2S_HALF)
        fail("a nodelet's memory is full");
    if (mprotect(start_of(zone), wanted, PROT_READ | PROT_WRITE))
        fail("the host's memory is full");
    zones[zone].usable = wanted;
}

/* A block begins with its size class, in as many bytes as keep the words' owners in order. */
struct block {
    long class;
    struct block *next;
};

static s2s_size header(int zone)
{
    s2s_size unit = zone == STRIPED ? 8 * N : 16;
    return (sizeof(struct block) + unit - 1) / unit * unit;
}

static void *take(int zone, s2s_size bytes)
{
    s2s_size size = 32, unit = header(zone);
    int class = 5;
    for (; size < bytes + unit; class++)
        size *= 2;
    struct block *block = zones[zone].free[class];
    if (block) {
        zones[zone].free[class] = block->next;
    } else {
        s2s_size end = zones[zone].used + (size + unit - 1) / unit * unit;
        if (end > zones[zone].usable)
            make_usable(zone, end);
        block = (struct block *)(start_of(zone) + zones[zone].used);
        block->class = class;
        zones[zone].used = end;
    }
    return (char *)block + unit;
}

static void give_back(s2s_address p)
{
    int zone = zone_of(p);
    if (zone == VIEW || zone >= COPIES)
        return;
    struct block *block = (struct block *)((char *)p - header(zone));
    block->next = zones[zone].free[block->class];
    zones[zone].free[block->class] = block;
}

long *s2s_mw_malloc1dlong(int site, s2s_size elements) { return take(STRIPED, 8 * elements); }

void *s2s_mw_malloc2d(int site, s2s_size blocks, s2s_size bytes)
{
    void **array = take(STRIPED, 8 * blocks);
    bytes = (bytes + 7) / 8 * 8;
    for (s2s_size k = 0; k < N && k < blocks; k++) {
        char *mine = take(HEAP + k, (blocks - k + N - 1) / N * bytes);
        for (s2s_size i = k; i < blocks; i += N, mine += bytes)
            array[i] = mine;
    }
    return array;
}

void *s2s_mw_localmalloc(int site, s2s_size bytes, s2s_address beside)
{
    s2s_reach(s2s_owner(beside), site);
    return take(HEAP + s2s_at, bytes);
}

void *s2s_mw_mallocrepl(int site, s2s_size bytes)
{
    s2s_size begin = zones[VIEW].used, end = begin + (bytes + 15) / 16 * 16;
    for (int k = COPIES; k < COPIES + N; k++)
        if (end > zones[k].usable)
            make_usable(k, end);
    zones[VIEW].used = end;
    return start_of(VIEW) + begin;
}

void s2s_mw_free(int site, s2s_address memory) { give_back(memory); }

void s2s_mw_localfree(int site, s2s_address memory)
{
    if (memory)
        s2s_reach(s2s_owner(memory), site);
    give_back(memory);
}

/* The pointers of mw_malloc2d can be worked out, so nothing is read. */
void *s2s_mw_arrayindex(int site, s2s_address array, s2s_size block, s2s_size blocks,
                        s2s_size bytes)
{
    return ((void **)array)[block];
}

void *s2s_mw_get_nth(int site, s2s_address view, long nodelet)
{
    int zone = zone_of(view);
    if (nodelet < 0 || nodelet >= N)
        fail("mw_get_nth: there is no such nodelet");
    if (zone != VIEW && (zone < COPIES || zone == ZONES))
        fail("mw_get_nth: this memory is not replicated");
    return start_of(COPIES + nodelet) + ((const char *)view - start_of(zone));
}

void *s2s_mw_get_localto(int site, s2s_address view, s2s_address beside)
{
    return s2s_mw_get_nth(site, view, s2s_owner(beside));
}

long s2s_mw_ptrtonodelet(int site, s2s_address memory) { return s2s_owner(memory); }

void s2s_mw_replicated_init(int site, long *view, long value)
{
    for (int k = 0; k < N; k++)
        *(long *)s2s_store(s2s_mw_get_nth(site, view, k), 8, site) = value;
}

void s2s_mw_replicated_init_multiple(int site, long *view, long (*value)(long))
{
    for (int k = 0; k < N; k++) {
        long mine = value(k);
        *(long *)s2s_store(s2s_mw_get_nth(site, view, k), 8, site) = mine;
    }
}

void s2s_mw_replicated_init_generic(int site, void *view, void (*set)(void *, long))
{
    for (int k = 0; k < N; k++)
        set(s2s_mw_get_nth(site, view, k), k);
}

/* The place of a replicated variable of the program. */
void *s2s_replicate(s2s_address initial, s2s_size bytes)
{
    void *view = s2s_mw_mallocrepl(0, bytes);
    for (int k = 0; k < N; k++)
        memcpy(s2s_mw_get_nth(0, view, k), (const void *)initial, bytes);
    return view;
}

/* A variable in a frame, because its address is taken or it is an array. */
void *s2s_variable(s2s_size bytes, int home) { return take(HEAP + home, bytes); }
void s2s_drop(void *variable) { give_back(*(void **)variable); }

/* C's own allocation is local to where the thread is. */
void *s2s_malloc(int site, s2s_size bytes) { return take(HEAP + s2s_at, bytes); }
void s2s_free(int site, void *memory) { give_back(memory); }

void *s2s_calloc(int site, s2s_size count, s2s_size bytes)
{
    s2s_size all;
    if (__builtin_mul_overflow(count, bytes, &all))
        return 0;
    return memset(take(HEAP + s2s_at, all), 0, all);
}

void *s2s_realloc(int site, void *memory, s2s_size bytes)
{
    void *fresh = take(HEAP + s2s_at, bytes);
    int zone = zone_of(memory);
    if (!memory || zone == ZONES)
        return fresh;
    struct block *block = (struct block *)((char *)memory - header(zone));
    s2s_size old = (1ul << block->class) - header(zone);
    s2s_memcpy(site, fresh, memory, old < bytes ? old : bytes);
    give_back(memory);
    return fresh;
}

/* The C library's loops over memory, word by word. */
static s2s_size part(s2s_size bytes, s2s_size begin) { return bytes - begin < 8 ? bytes - begin : 8; }

void *s2s_memcpy(int site, void *to, const void *from, s2s_size bytes)
{
    for (s2s_size i = 0; i < bytes; i += 8) {
        const void *source = s2s_load((char *)from + i, 8, site);
        memmove(s2s_store((char *)to + i, 8, site), source, part(bytes, i));
    }
    return to;
}

void *s2s_memmove(int site, void *to, const void *from, s2s_size bytes)
{
    if ((char *)to <= (char *)from || (char *)to >= (char *)from + bytes)
        return s2s_memcpy(site, to, from, bytes);
    for (s2s_size end = bytes; end; end -= part(end, 0)) {
        s2s_size begin = end - part(end, 0);
        const void *source = s2s_load((char *)from + begin, 8, site);
        memmove(s2s_store((char *)to + begin, 8, site), source, end - begin);
    }
    return to;
}

void *s2s_memset(int site, void *to, int value, s2s_size bytes)
{
    for (s2s_size i = 0; i < bytes; i += 8)
        memset(s2s_store((char *)to + i, 8, site), value, part(bytes, i));
    return to;
}
