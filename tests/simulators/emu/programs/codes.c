/* Programs for Emu in the styles of published ones, small: a region for each, on four nodelets. */
#include <cilk/cilk.h>
#include <emu_c_utils/emu_c_utils.h>
#include <memoryweb/memoryweb.h>
#include <stdio.h>
#include <stdlib.h>

static long wrong;
#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            printf("wrong in line %d\n", __LINE__); \
            wrong++; \
        } \
    } while (0)

/* Chasing pointers through shuffled nodes. */
struct node {
    struct node *next;
    long weight;
};
replicated long total;

static void chase(struct node *at)
{
    long sum = 0;
    for (; at != NULL; at = at->next)
        sum += at->weight;
    REMOTE_ADD(&total, sum);
}

static void pointer_chasing(void)
{
    const long n = 16, threads = 2, each = n / threads;
    struct node **pool = mw_malloc2d(n, sizeof(struct node));
    for (long i = 0; i < n; ++i) {
        struct node *at = mw_arrayindex(pool, 5 * i % n, n, sizeof(struct node));
        at->weight = i;
        at->next = i % each == each - 1
                       ? NULL
                       : mw_arrayindex(pool, 5 * (i + 1) % n, n, sizeof(struct node));
    }
    hooks_region_begin("pointer chasing");
    for (long t = 0; t < threads; ++t) {
        struct node *head = mw_arrayindex(pool, 5 * t * each % n, n, sizeof(struct node));
        cilk_spawn_at(head) chase(head);
    }
    cilk_sync;
    hooks_region_end();
    long sum = 0;
    for (long k = 0; k < NODELETS(); k++)
        sum += *(long *)mw_get_nth(&total, k);
    EXPECT(sum == n * (n - 1) / 2);
}

/* STREAM on striped arrays. */
replicated struct {
    long n, *a, *b, *c;
} stream;

static void add_piece(long begin, long end)
{
    for (long i = begin; i < end; ++i)
        stream.c[i] = stream.a[i] + stream.b[i];
}

static void add_halves(long low, long high, long grain)
{
    while (high - low > grain) {
        long middle = low + (high - low) / 2;
        cilk_spawn add_halves(low, middle, grain);
        low = middle;
    }
    add_piece(low, high);
}

static void streams(void)
{
    mw_replicated_init(&stream.n, 32);
    mw_replicated_init((long *)&stream.a, (long)mw_malloc1dlong(stream.n));
    mw_replicated_init((long *)&stream.b, (long)mw_malloc1dlong(stream.n));
    mw_replicated_init((long *)&stream.c, (long)mw_malloc1dlong(stream.n));
    for (long i = 0; i < stream.n; i++) {
        stream.a[i] = i;
        stream.b[i] = 2 * i;
    }
    hooks_region_begin("serial spawn");
    for (long i = 0; i < stream.n; i += 8)
        cilk_spawn add_piece(i, i + 8);
    cilk_sync;
    hooks_region_begin("recursive spawn");
    add_halves(0, stream.n, 8);
    hooks_region_end();
    for (long i = 0; i < stream.n; i++)
        EXPECT(stream.c[i] == 3 * i);
}

/* Random updates. */
static void update(long *table, long size, unsigned long random, long count)
{
    for (long i = 0; i < count; i++) {
        random = random * 6364136223846793005ul + 1442695040888963407ul;
        REMOTE_XOR(&table[random >> 59 & (size - 1)], 1);
    }
}

static void random_updates(void)
{
    const long size = 32;
    long *table = mw_malloc1dlong(size), bits = 0;
    for (long i = 0; i < size; i++)
        table[i] = 0;
    hooks_region_begin("random updates");
    for (long t = 0; t < 8; t++) {
        cilk_migrate_hint(&table[t]);
        cilk_spawn update(table, size, t, 20);
    }
    cilk_sync;
    FENCE();
    hooks_region_end();
    for (long i = 0; i < size; i++)
        bits += POPCNT(0, &table[i]);
    EXPECT(bits % 2 == 0 && bits > 0);
}

/* A sparse matrix with three diagonals. */
replicated struct {
    long *first, *column, *value;
} matrix;

static void multiply(long *y, long begin, long end, va_list arguments)
{
    long *x = va_arg(arguments, long *);
    for (long i = begin; i < end; i += NODELETS()) {
        long sum = 0;
        for (long k = matrix.first[i], last = matrix.first[i + 1]; k < last; k++)
            sum += matrix.value[k] * x[matrix.column[k]];
        y[i] = sum;
    }
}

static void sparse_rows(void)
{
    const long n = 12;
    long *x = mw_malloc1dlong(n), *y = mw_malloc1dlong(n), k = 0;
    mw_replicated_init((long *)&matrix.first, (long)mw_malloc1dlong(n + 1));
    mw_replicated_init((long *)&matrix.column, (long)mw_malloc1dlong(3 * n));
    mw_replicated_init((long *)&matrix.value, (long)mw_malloc1dlong(3 * n));
    for (long i = 0; i < n; i++) {
        matrix.first[i] = k;
        x[i] = i;
        for (long j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= n)
                continue;
            matrix.column[k] = j;
            matrix.value[k++] = i == j ? 2 : -1;
        }
    }
    matrix.first[n] = k;
    hooks_region_begin("sparse rows");
    emu_1d_array_apply(y, n, 1, multiply, x);
    hooks_region_end();
    for (long i = 0; i < n; i++)
        EXPECT(y[i] == (i == 0 ? -1 : i == n - 1 ? n : 0));
}

/* Chunked arrays. */
static void scale(emu_chunked_array *array, long begin, long end, va_list arguments)
{
    long by = va_arg(arguments, long), *here = emu_chunked_array_index(array, begin);
    for (long i = 0; i < end - begin; i++)
        here[i] = by * (begin + i);
}

static void add(emu_chunked_array *array, long begin, long end, long *sum, va_list arguments)
{
    long *here = emu_chunked_array_index(array, begin), mine = 0;
    for (long i = 0; i < end - begin; i++)
        mine += here[i];
    REMOTE_ADD(sum, mine);
}

static int descending(const void *a, const void *b) { return *(long *)b - *(long *)a; }

static void chunks(void)
{
    const long n = 16;
    emu_chunked_array *array = emu_chunked_array_replicated_new(n, sizeof(long));
    MIGRATE(&wrong); /* to the first nodelet, where the first chunk is */
    long *local = malloc(n * sizeof(long));
    hooks_region_begin("chunks");
    emu_chunked_array_apply(array, 2, scale, 3l);
    hooks_region_begin("sum of chunks");
    EXPECT(emu_chunked_array_reduce_sum(array, 2, add) == 3 * n * (n - 1) / 2);
    hooks_region_begin("chunks by halving");
    emu_chunked_array_apply_recursive(array, 4, scale, 5l);
    hooks_region_begin("chunks to one place");
    emu_chunked_array_to_local(array, local);
    hooks_region_end();
    emu_sort_local(local, n, sizeof(long), descending);
    for (long i = 0; i < n; i++)
        EXPECT(local[i] == 5 * (n - 1 - i));
    emu_chunked_array_set_long(array, 2);
    EXPECT(emu_chunked_array_reduce_sum_long(array) == 2 * emu_chunked_array_size(array));
    emu_chunked_array_replicated_free(array);
}

/* Constants whose address is taken, bit-fields, designated elements, lengths that vary. */
extern replicated struct pair {
    long first, second;
} later;
struct bits {
    unsigned low : 3, high : 5;
    long count : 40;
};

static long twice(const long given)
{
    const long *const at = &given;
    return 2 * *at;
}

static void forms(void)
{
    const long far = 1l << 40, *const at = &far;
    const struct bits fixed = {5, 6, -7}, *const there = &fixed;
    struct bits **blocks = mw_malloc2d(4, sizeof(struct bits));
    long places[] = {[2] = 7, 8}, n = 3, *length = &n, varying[NODELETS()][length[0]];
    hooks_region_begin("bit-fields");
    blocks[2]->low = 9;
    blocks[2]->count = -4;
    blocks[2]->count -= blocks[2]->low++;
    hooks_region_end();
    EXPECT(*at == far && twice(21) == 42 && there->count == -7 && there->high == 6);
    EXPECT(blocks[2]->low == 2 && blocks[2]->count == -5 && places[3] == 8);
    EXPECT(sizeof varying == NODELETS() * 3 * sizeof(long) && later.second == 4);
}

replicated struct pair later = {3, 4};

static int codes(void)
{
    pointer_chasing();
    streams();
    random_updates();
    sparse_rows();
    chunks();
    forms();
    return wrong != 0;
}

int main(void)
{
    int status = cilk_spawn codes();
    int waited = 0;
    cilk_sync;
    return status + waited;
}
