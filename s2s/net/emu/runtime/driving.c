/* Calls the functions of a program, each with several sizes, in processes of their own, and prints
   what is different behind each call: in what it was given, in global variables, its result.
   Memory that is given lies at the same place in each program; values come from one sequence. */
#include "../include/driving.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARENA ((char *)0x310000000000)
#define ARENA_BYTES (1ul << 29)
#define HEAP (ARENA + (1ul << 32))
#define HEAP_BYTES (1ul << 29)

extern void (*const s2s_drive_functions[])(void);
extern const int s2s_drive_functions_count;

static long size;
static int variant;
static unsigned long state, used, heap_used;

static unsigned long drawn(void)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return state >> 33;
}

long s2s_drive_size(void) { return size; }
long s2s_drive_below(long end) { return end > 0 ? (long)(drawn() % (unsigned long)end) : 0; }
long s2s_drive_count(int extent)
{
    long row = size + 8;
    if (extent != S2S_ALL)
        return extent == S2S_ROW ? row : 8;
    return (size <= 16 ? size * size * size : size <= 32 ? size * size : 8 * row) + 8 * row;
}

/* Memory of functions: filled as that of the C library is, its blocks can be found again. */
static char *mapped(char *at, unsigned long bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != at)
        _exit(1);
    return at;
}

struct block {
    size_t bytes, magic;
};
#define MAGIC 0x73327332b10cul

void *malloc(size_t bytes)
{
    static int fill = -1;
    if (fill < 0) {
        const char *text = getenv("MALLOC_PERTURB_");
        mapped(HEAP, HEAP_BYTES);
        fill = text ? (atoi(text) ^ 255) & 255 : 0;
    }
    if (bytes > HEAP_BYTES || heap_used + bytes + 64 > HEAP_BYTES)
        return 0;
    struct block *block = (struct block *)(HEAP + heap_used);
    heap_used += (bytes + 15) / 16 * 16 + sizeof *block;
    *block = (struct block){bytes, MAGIC};
    return memset(block + 1, fill, bytes);
}

void free(void *memory) {}

void *calloc(size_t count, size_t bytes)
{
    size_t all;
    void *memory = __builtin_mul_overflow(count, bytes, &all) ? 0 : malloc(all);
    return memory ? memset(memory, 0, all) : 0;
}

void *realloc(void *memory, size_t bytes)
{
    void *fresh = malloc(bytes);
    if (memory && fresh) {
        size_t before = ((struct block *)memory)[-1].bytes;
        memcpy(fresh, memory, before < bytes ? before : bytes);
    }
    return fresh;
}

static int is_heap(uintptr_t p) { return p - (uintptr_t)HEAP < HEAP_BYTES; }

/* Bytes from a place to the end of its block. */
static size_t left_in_block(char *p)
{
    struct block *block = (struct block *)HEAP;
    while ((char *)block < HEAP + heap_used) {
        char *end = (char *)(block + 1) + block->bytes;
        if (p < end)
            return end - p;
        block = (struct block *)((char *)(block + 1) + (block->bytes + 15) / 16 * 16);
    }
    return 0;
}

static struct region {
    char *base, *before, kind;
    unsigned long bytes;
} regions[100000];
static int count;

void s2s_drive_region(void *base, unsigned long bytes, char kind)
{
    if (count == sizeof regions / sizeof *regions)
        _exit(3);
    regions[count++] = (struct region){base, 0, kind, bytes};
}

void *s2s_drive_new(long elements, unsigned long bytes, char kind)
{
    char *base = ARENA + used;
    used += (elements * bytes + 63) / 64 * 64 + 64;
    if (used > ARENA_BYTES / 2)
        _exit(3);
    s2s_drive_region(base, elements * bytes, kind);
    return base;
}

static void put(void *place, unsigned long bytes, long value) { memcpy(place, &value, bytes); }

void s2s_drive_integers(void *first, long elements, unsigned long bytes, int role)
{
    char *place = first;
    long value = 0, most = bytes == 1 ? 100 : 30000;
    for (long i = 0; i < elements; i++, place += bytes) {
        if (role == S2S_OFFSETS)
            value = i ? value + (i <= size ? drawn() % 4 : 0) : 0;
        else if (role == S2S_SIZE)
            value = size;
        else
            value = s2s_drive_below(role == S2S_SMALL ? 8 : size < most ? size : most);
        put(place, bytes, value);
    }
}

void s2s_drive_numbers(void *first, long elements, unsigned long bytes)
{
    for (long i = 0; i < elements; i++) {
        double value = (long)(drawn() % 4001) / 500.0 - 3;
        if (bytes == 4)
            ((float *)first)[i] = value;
        else if (bytes == 8)
            ((double *)first)[i] = value;
        else
            ((long double *)first)[i] = value;
    }
}

/* All integer parameters are the size, or the first, or the last of three. */
void s2s_drive_parameter(void *place, unsigned long bytes, int number)
{
    long small = 1 + s2s_drive_below(3);
    put(place, bytes, variant == 0 || number % 2 == variant - 1 ? size : small);
}

/* Behind this, what changes is the called function's work. */
void s2s_drive_call(void)
{
    char *kept = ARENA + ARENA_BYTES / 2;
    for (int k = 0; k < count; k++) {
        regions[k].before = memcpy(kept, regions[k].base, regions[k].bytes);
        kept += (regions[k].bytes + 15) / 16 * 16;
        if (kept > ARENA + ARENA_BYTES)
            _exit(3);
    }
    const char *limit = getenv("S2S_NET_CALL"); /* ms */
    long most = limit ? atol(limit) : 3000;
    struct itimerval time = {.it_value = {most / 1000, most % 1000 * 1000}};
    setitimer(ITIMER_PROF, &time, 0);
}

static void print_value(const void *place, unsigned long bytes, char kind)
{
    unsigned long word = 0;
    double number = 0;
    memcpy(&word, place, bytes < 8 ? bytes : 8);
    if (kind == 'd')
        number = bytes == 4 ? *(const float *)place : *(const double *)place;
    else if (kind == 'x' && bytes == 8)
        memcpy(&number, &word, 8);
    double size_of = number < 0 ? -number : number;
    if (kind == 'd' || (kind == 'x' && size_of > 1e-6 && size_of < 1e12))
        printf("%.12e\n", number);
    else
        printf(is_heap(word) && kind != 'i' ? "heap\n" : "%lx\n", word);
}

static void print_changes(void)
{
    for (int k = 0; k < count; k++) {
        struct region *one = &regions[k];
        unsigned long step = one->kind == 'f' ? 4 : 8;
        for (unsigned long at = 0; at < one->bytes; at += step) {
            unsigned long same = at % 2048 || at + 2048 > one->bytes ? 0 : 2048;
            if (same && !memcmp(one->base + at, one->before + at, same)) {
                at += same - step;
                continue;
            }
            unsigned long bytes = one->bytes - at < step ? one->bytes - at : step;
            if (!memcmp(one->base + at, one->before + at, bytes))
                continue;
            printf("w %d %lu ", k, at);
            print_value(one->base + at, bytes, one->kind == 'f' ? 'd' : one->kind);
        }
    }
}

void s2s_drive_result(void *value, unsigned long bytes, char kind, unsigned long element, char of)
{
    if (kind == 'p') {
        char *first = *(char **)value;
        size_t left = is_heap((uintptr_t)first) && of != 'x' ? left_in_block(first) : 0;
        for (size_t at = 0; element && at + element <= left && at < 8192; at += element) {
            printf("q %zu ", at);
            print_value(first + at, element, of);
        }
    }
    if (bytes) {
        printf("r ");
        print_value(value, bytes, kind);
    }
}

/* Whether the call has ended in time. */
static int one_case(int function, int number)
{
    printf("case %d %d\n", function, number);
    fflush(stdout);
    int status, child = fork();
    if (!child) {
        state = 12345 + 77 * number;
        s2s_drive_functions[function]();
        print_changes();
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("end %d\n", WIFSIGNALED(status) ? -1 : WEXITSTATUS(status));
    return !WIFSIGNALED(status) || WTERMSIG(status) != SIGPROF;
}

int main(void)
{
    static const long sizes[] = {5, 0, 1, 3, 4, 9, 30, 271};
    mapped(ARENA, ARENA_BYTES);
    for (int f = 0; f < s2s_drive_functions_count; f++) {
        int in_time = 1;
        for (int k = 0; in_time && k < 8; k++)
            for (variant = 0; in_time && variant < (k == 0 || k == 6 ? 3 : 1); variant++) {
                size = sizes[k];
                in_time = one_case(f, 3 * k + variant);
            }
    }
    return 0;
}
