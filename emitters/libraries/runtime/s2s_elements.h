/* s2s: softmax and functions of elements by oneDNN; a part of s2s_libraries.c.

   Making what computes a shape takes oneDNN up to milliseconds. Until calls of that shape have had
   as much to do as this takes, they are computed here by the C library. So are rows in which
   something is not finite: what oneDNN makes of NaN is not what C says; and rows of which the maximum
   begins above all elements. So is all of it where oneDNN is not there, or loading it has not paid
   yet: a nest that another library does most of need not wait for oneDNN. */
#include <float.h>
#include <math.h>
#include <string.h>

#define S2S_DEAR 65536 /* elements that the C library computes in the time of making one */
#define S2S_SHAPES 32

typedef struct {
    long function, rows, n, ldx, ldy; /* function -1: softmax */
} shape;

static int are_finite(const float *x, long n) {
    unsigned bad = 0;
    for (long k = 0; k < n; k++) {
        union { float value; unsigned bits; } u = {x[k]};
        bad |= (u.bits & 0x7f800000u) == 0x7f800000u;
    }
    return !bad;
}

/* Whether no element is infinite or NaN, and the largest one is at least a number. */
static int has_largest(const float *x, long n, float least) {
    float most = x[0];
    for (long k = 1; k < n; k++) most = x[k] > most ? x[k] : most;
    return most >= least && are_finite(x, n);
}

static void rows_by_c(long rows, long n, const float *x, long ldx, float *y, long ldy,
                      float least) {
    for (long r = 0; r < rows; r++, x += ldx, y += ldy) {
        float most = least, sum = 0;
        for (long k = 0; k < n; k++)
            if (x[k] > most) most = x[k];
        for (long k = 0; k < n; k++) sum += y[k] = expf(x[k] - most);
        for (long k = 0; k < n; k++) y[k] /= sum;
    }
}

static void elements_by_c(int function, long n, const float *x, float *y) {
    switch (function) {
    case 0: for (long k = 0; k < n; k++) y[k] = expf(x[k]); break;
    case 1: for (long k = 0; k < n; k++) y[k] = tanhf(x[k]); break;
    default: for (long k = 0; k < n; k++) y[k] = 1 / (1 + expf(-x[k]));
    }
}

#ifdef S2S_WITH_ONEDNN
typedef struct {
    shape key;
    long spent;
    int is_made;
    dnnl_primitive_t main;
    dnnl_memory_t x, y;
} computed;
static computed shapes[S2S_SHAPES];
static int shapes_seen;

static int has_engine(void) {
    return engine || (dnnl_engine_create(&engine, dnnl_cpu, 0) == dnnl_success &&
                      dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) ==
                          dnnl_success);
}

static int make_computed(computed *c) {
    static const dnnl_alg_kind_t kinds[] = {dnnl_eltwise_exp, dnnl_eltwise_tanh,
                                            dnnl_eltwise_logistic};
    const shape *s = &c->key;
    dnnl_dims_t size = {s->rows, s->n}, from = {s->ldx, 1}, to = {s->ldy, 1};
    dnnl_memory_desc_t x, y;
    dnnl_primitive_desc_t pd;
    union { dnnl_softmax_v2_desc_t rows; dnnl_eltwise_desc_t elements; } d;
    if (!has_engine() ||
        dnnl_memory_desc_init_by_strides(&x, 2, size, dnnl_f32, from) != dnnl_success ||
        dnnl_memory_desc_init_by_strides(&y, 2, size, dnnl_f32, to) != dnnl_success ||
        dnnl_memory_create(&c->x, &x, engine, DNNL_MEMORY_NONE) != dnnl_success ||
        dnnl_memory_create(&c->y, &y, engine, DNNL_MEMORY_NONE) != dnnl_success)
        return 0;
    dnnl_status_t made =
        s->function < 0 ? dnnl_softmax_v2_forward_desc_init(&d.rows, dnnl_forward_inference,
                                                            dnnl_softmax_accurate, &x, &y, 1)
                        : dnnl_eltwise_forward_desc_init(&d.elements, dnnl_forward_inference,
                                                         kinds[s->function], &x, 0, 0);
    if (made != dnnl_success ||
        dnnl_primitive_desc_create(&pd, &d, NULL, engine, NULL) != dnnl_success)
        return 0;
    made = dnnl_primitive_create(&c->main, pd);
    dnnl_primitive_desc_destroy(pd);
    return made == dnnl_success;
}

/* What computes a shape; NULL where calls of it have not had enough to do yet, or oneDNN has none. */
static computed *computed_for(const shape *key) {
    computed *c = shapes;
    while (c < shapes + shapes_seen && memcmp(&c->key, key, sizeof *key)) c++;
    if (c == shapes + shapes_seen) {
        if (shapes_seen == S2S_SHAPES) return NULL;
        shapes_seen++;
        c->key = *key;
    }
    if (c->spent < S2S_DEAR) {
        c->spent += key->rows * key->n;
        return NULL;
    }
    if (!c->is_made) {
        c->is_made = 1;
        if (!make_computed(c)) c->main = NULL;
    }
    return c->main ? c : NULL;
}

/* Whether oneDNN is loaded, or is now; an element saves some three nanoseconds. */
static int is_worth(long elements) { return pays(&onednn, 3.0 * (double)elements); }

/* Whether oneDNN has computed it. */
static int has_computed(const shape *key, const float *x, float *y) {
    pthread_mutex_lock(&one_at_a_time);
    computed *c = computed_for(key);
    if (c) {
        dnnl_memory_set_data_handle(c->x, (void *)x);
        dnnl_memory_set_data_handle(c->y, y);
        dnnl_exec_arg_t args[2] = {{DNNL_ARG_SRC, c->x}, {DNNL_ARG_DST, c->y}};
        dnnl_primitive_execute(c->main, stream, 2, args);
        dnnl_stream_wait(stream);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return c != NULL;
}
#else
static int is_worth(long elements) { return (void)elements, 0; }
static int has_computed(const shape *key, const float *x, float *y) {
    return (void)key, (void)x, (void)y, 0;
}
#endif

/* What is taken off a row is its largest element, or ``least`` where that is larger. */
void s2s_softmax(long rows, long n, const float *x, long ldx, float *y, long ldy, float least) {
    shape key = {-1, rows, n, ldx, ldy};
    int as_usual = is_worth(rows * n);
    for (long r = 0; as_usual && r < rows; r++)
        as_usual = least > -FLT_MAX ? has_largest(x + r * ldx, n, least)
                                    : are_finite(x + r * ldx, n);
    if (!as_usual || !has_computed(&key, x, y)) rows_by_c(rows, n, x, ldx, y, ldy, least);
}

#define S2S_FEW 256
#define S2S_LEAST 1024
#define S2S_AT_ONCE 16384
/* Whether oneDNN has computed a part, of a size that is one of two: others are filled up. */
static int has_part(int function, long count, const float *x, float *y) {
    float rest[S2S_LEAST];
    long whole = count < S2S_LEAST ? S2S_LEAST : count;
    shape key = {function, 1, whole, whole, whole};
    if (count < S2S_FEW || !is_worth(count) || !are_finite(x, count)) return 0;
    if (count == whole) return has_computed(&key, x, y);
    memcpy(rest, x, sizeof(float) * (size_t)count);
    memset(rest + count, 0, sizeof(float) * (size_t)(whole - count));
    if (!has_computed(&key, rest, rest)) return 0;
    memcpy(y, rest, sizeof(float) * (size_t)count);
    return 1;
}

void s2s_elements(int function, long n, const float *x, float *y) {
    while (n > 0) {
        long count = n >= S2S_AT_ONCE ? S2S_AT_ONCE : n >= S2S_LEAST ? S2S_LEAST : n;
        if (!has_part(function, count, x, y)) elements_by_c(function, count, x, y);
        n -= count, x += count, y += count;
    }
}
