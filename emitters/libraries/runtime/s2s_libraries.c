/* s2s: functions of libraries by which the host does whole operations. */
#include "s2s_libraries.h"

#ifdef S2S_WITH_BLAS
#include <cblas.h>
int s2s_has_blas(void) { return 1; }
#define S2S_TRANS(t) ((t) ? CblasTrans : CblasNoTrans)
#define S2S_UPLO(l) ((l) ? CblasLower : CblasUpper)
#define S2S_CALLS(T, P)                                                                         \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc) {                           \
        cblas_##P##gemm(CblasRowMajor, S2S_TRANS(ta), S2S_TRANS(tb), (int)m, (int)n, (int)k,     \
                        alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);                     \
    }                                                                                           \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy) {                                     \
        cblas_##P##gemv(CblasRowMajor, S2S_TRANS(ta), (int)m, (int)n, alpha, a, (int)lda, x,     \
                        (int)incx, beta, y, (int)incy);                                          \
    }                                                                                           \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda) {                                                          \
        cblas_##P##ger(CblasRowMajor, (int)m, (int)n, alpha, x, (int)incx, y, (int)incy, a,      \
                       (int)lda);                                                                \
    }                                                                                           \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out) {                                                                  \
        T sum = alpha * cblas_##P##dot((int)n, x, (int)incx, y, (int)incy);                      \
        *out = beta == 0 ? sum : beta * *out + sum;                                              \
    }                                                                                           \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy) {                \
        cblas_##P##axpy((int)n, alpha, x, (int)incx, y, (int)incy);                              \
    }                                                                                           \
    void s2s_##P##scal(long n, T alpha, T *x, long incx) {                                       \
        cblas_##P##scal((int)n, alpha, x, (int)incx);                                            \
    }                                                                                           \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda, T beta, \
                       T *c, long ldc) {                                                         \
        cblas_##P##syrk(CblasRowMajor, S2S_UPLO(lower), S2S_TRANS(ta), (int)n, (int)k, alpha, a, \
                        (int)lda, beta, c, (int)ldc);                                            \
    }                                                                                           \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc) {                          \
        cblas_##P##syr2k(CblasRowMajor, S2S_UPLO(lower), S2S_TRANS(ta), (int)n, (int)k, alpha,   \
                         a, (int)lda, b, (int)ldb, beta, c, (int)ldc);                           \
    }
S2S_CALLS(float, s)
S2S_CALLS(double, d)
#else
int s2s_has_blas(void) { return 0; }
/* Never called: the guard asks first. */
#define S2S_NONE(T, P)                                                                          \
    void s2s_##P##gemm(int ta, int tb, long m, long n, long k, T alpha, const T *a, long lda,    \
                       const T *b, long ldb, T beta, T *c, long ldc) {                           \
        (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda;          \
        (void)b, (void)ldb, (void)beta, (void)c, (void)ldc;                                      \
    }                                                                                           \
    void s2s_##P##gemv(int ta, long m, long n, T alpha, const T *a, long lda, const T *x,        \
                       long incx, T beta, T *y, long incy) {                                     \
        (void)ta, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)x, (void)incx;        \
        (void)beta, (void)y, (void)incy;                                                         \
    }                                                                                           \
    void s2s_##P##ger(long m, long n, T alpha, const T *x, long incx, const T *y, long incy,     \
                      T *a, long lda) {                                                          \
        (void)m, (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy, (void)a;        \
        (void)lda;                                                                               \
    }                                                                                           \
    void s2s_##P##dot(long n, T alpha, const T *x, long incx, const T *y, long incy, T beta,     \
                      T *out) {                                                                  \
        (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy, (void)beta, (void)out;   \
    }                                                                                           \
    void s2s_##P##axpy(long n, T alpha, const T *x, long incx, T *y, long incy) {                \
        (void)n, (void)alpha, (void)x, (void)incx, (void)y, (void)incy;                          \
    }                                                                                           \
    void s2s_##P##scal(long n, T alpha, T *x, long incx) {                                       \
        (void)n, (void)alpha, (void)x, (void)incx;                                               \
    }                                                                                           \
    void s2s_##P##syrk(int lower, int ta, long n, long k, T alpha, const T *a, long lda, T beta, \
                       T *c, long ldc) {                                                         \
        (void)lower, (void)ta, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)beta;    \
        (void)c, (void)ldc;                                                                      \
    }                                                                                           \
    void s2s_##P##syr2k(int lower, int ta, long n, long k, T alpha, const T *a, long lda,        \
                        const T *b, long ldb, T beta, T *c, long ldc) {                          \
        (void)lower, (void)ta, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b;       \
        (void)ldb, (void)beta, (void)c, (void)ldc;                                               \
    }
S2S_NONE(float, s)
S2S_NONE(double, d)
#endif

/* ---- windows */

typedef struct {
    long images, groups, outputs, inputs, rows, columns, height, width;
    long kernel[2], stride[2], dilation[2], before[2];
    long s[5], w[5], t[5];
    float beta;
    int pools;
} windows;

#define S2S_PACK                                                                                \
    {images, groups, outputs, inputs, rows, columns, height, width,                             \
     {kernel_rows, kernel_columns}, {stride_y, stride_x}, {dilation_y, dilation_x},             \
     {top, left}, {s0, s1, s2, s3, s4}, {w0, w1, w2, w3, w4}, {t0, t1, t2, t3, t4}, 0, 0}

#ifdef S2S_WITH_ONEDNN
#include <dnnl.h>
#include <float.h>
#include <pthread.h>
#include <string.h>

int s2s_has_onednn(void) { return 1; }

/* The source's own order, for what oneDNN refuses. */
static void loops(const windows *p, const float *source, const float *weight, float *target) {
    long channels = p->pools ? 1 : p->inputs;
    for (long n = 0; n < p->images; n++)
    for (long g = 0; g < p->groups; g++)
    for (long o = 0; o < p->outputs; o++)
    for (long y = 0; y < p->rows; y++)
    for (long x = 0; x < p->columns; x++) {
        float *to = target + n * p->t[0] + g * p->t[1] + o * p->t[2] + y * p->t[3] + x * p->t[4];
        float sum = p->pools ? -FLT_MAX : p->beta == 0 ? 0 : *to;
        for (long c = 0; c < channels; c++)
        for (long r = 0; r < p->kernel[0]; r++)
        for (long k = 0; k < p->kernel[1]; k++) {
            long i = y * p->stride[0] + r * p->dilation[0] - p->before[0];
            long j = x * p->stride[1] + k * p->dilation[1] - p->before[1];
            if (i < 0 || i >= p->height || j < 0 || j >= p->width) continue;
            float value = source[n * p->s[0] + g * p->s[1] + (p->pools ? o : c) * p->s[2] +
                                 i * p->s[3] + j * p->s[4]];
            if (p->pools) {
                if (value > sum) sum = value;
            } else {
                sum += value * weight[g * p->w[0] + o * p->w[1] + c * p->w[2] + r * p->w[3] +
                                      k * p->w[4]];
            }
        }
        *to = sum;
    }
}

/* What oneDNN needs for windows of one shape; kept, as making it takes long. */
typedef struct {
    windows key;
    dnnl_primitive_t main, in[3], out;
    dnnl_memory_t user[3], own[3]; /* source, weights, target */
} plan;

#define KEPT 64
static plan plans[KEPT];
static int kept;
static dnnl_engine_t engine;
static dnnl_stream_t stream;

static long step(long own, long group, long count) { return count == 1 && group ? group : own; }

/* Descriptions of the three memories as they lie; 0 where oneDNN has none. */
static int describe(const windows *p, dnnl_memory_desc_t md[3]) {
    long in = p->pools ? p->outputs : p->inputs;
    dnnl_dims_t source = {p->images, p->groups * in, p->height, p->width};
    dnnl_dims_t target = {p->images, p->groups * p->outputs, p->rows, p->columns};
    dnnl_dims_t weight = {p->groups, p->outputs, p->inputs, p->kernel[0], p->kernel[1]};
    dnnl_dims_t s = {p->s[0], step(p->s[2], p->s[1], in), p->s[3], p->s[4]};
    dnnl_dims_t t = {p->t[0], step(p->t[2], p->t[1], p->outputs), p->t[3], p->t[4]};
    dnnl_dims_t w = {p->w[0], p->w[1], p->w[2], p->w[3], p->w[4]};
    long around[4] = {p->groups * in * p->height * p->width, p->height * p->width, p->width, 1};
    for (int k = 0; k < 4; k++) /* steps of what has one element are never taken */
        if (!s[k]) s[k] = source[k] == 1 ? around[k] : 0;
    long over[4] = {p->groups * p->outputs * p->rows * p->columns, p->rows * p->columns,
                    p->columns, 1};
    for (int k = 0; k < 4; k++)
        if (!t[k]) t[k] = target[k] == 1 ? over[k] : 0;
    long of[5] = {p->outputs * p->inputs * p->kernel[0] * p->kernel[1],
                  p->inputs * p->kernel[0] * p->kernel[1], p->kernel[0] * p->kernel[1],
                  p->kernel[1], 1};
    for (int k = 0; k < 5; k++)
        if (!w[k]) w[k] = weight[k] == 1 ? of[k] : 0;
    int first = p->groups == 1;
    return dnnl_memory_desc_init_by_strides(&md[0], 4, source, dnnl_f32, s) == dnnl_success &&
           (p->pools || dnnl_memory_desc_init_by_strides(&md[1], 5 - first, weight + first,
                                                         dnnl_f32, w + first) == dnnl_success) &&
           dnnl_memory_desc_init_by_strides(&md[2], 4, target, dnnl_f32, t) == dnnl_success;
}

static int any(dnnl_memory_desc_t *to, const dnnl_memory_desc_t *like) {
    return dnnl_memory_desc_init_by_tag(to, like->ndims, like->dims, dnnl_f32,
                                        dnnl_format_tag_any) == dnnl_success;
}

static int reorder(dnnl_primitive_t *made, dnnl_memory_t from, dnnl_memory_t to) {
    const dnnl_memory_desc_t *a, *b;
    dnnl_primitive_desc_t pd;
    dnnl_memory_get_memory_desc(from, &a);
    dnnl_memory_get_memory_desc(to, &b);
    if (dnnl_reorder_primitive_desc_create(&pd, a, engine, b, engine, NULL) != dnnl_success)
        return 0;
    int done = dnnl_primitive_create(made, pd) == dnnl_success;
    dnnl_primitive_desc_destroy(pd);
    return done;
}

static int make(plan *p) {
    const windows *k = &p->key;
    dnnl_memory_desc_t md[3], free_md[3];
    if (!engine && (dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
                    dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success))
        return 0;
    if (!describe(k, md)) return 0;
    dnnl_dims_t strides = {k->stride[0], k->stride[1]}, kernel = {k->kernel[0], k->kernel[1]};
    dnnl_dims_t gaps = {k->dilation[0] - 1, k->dilation[1] - 1};
    dnnl_dims_t before = {k->before[0], k->before[1]}, after;
    long counts[2] = {k->rows, k->columns}, points[2] = {k->height, k->width};
    for (int a = 0; a < 2; a++) {
        after[a] = (counts[a] - 1) * k->stride[a] + (k->kernel[a] - 1) * k->dilation[a] + 1 -
                   points[a] - before[a];
        if (after[a] < 0) { /* points that no window reaches */
            md[0].dims[2 + a] += after[a];
            md[0].padded_dims[2 + a] += after[a];
            after[a] = 0;
        }
        if (md[0].dims[2 + a] < 1) return 0;
    }
    dnnl_primitive_desc_t pd;
    dnnl_primitive_attr_t attributes = NULL;
    int failed;
    if (k->pools) {
        dnnl_pooling_v2_desc_t d;
        failed = dnnl_pooling_v2_forward_desc_init(&d, dnnl_forward_inference, dnnl_pooling_max,
                                                   &md[0], &md[2], strides, kernel, gaps, before,
                                                   after) != dnnl_success ||
                 dnnl_primitive_desc_create(&pd, &d, NULL, engine, NULL) != dnnl_success;
    } else {
        dnnl_convolution_desc_t d;
        for (int m = 0; m < 3; m++)
            if (!any(&free_md[m], &md[m])) return 0;
        if (k->beta != 0) {
            dnnl_post_ops_t ops;
            dnnl_primitive_attr_create(&attributes);
            dnnl_post_ops_create(&ops);
            dnnl_post_ops_append_sum(ops, k->beta);
            dnnl_primitive_attr_set_post_ops(attributes, ops);
            dnnl_post_ops_destroy(ops);
        }
        failed = dnnl_dilated_convolution_forward_desc_init(
                     &d, dnnl_forward_inference, dnnl_convolution_direct, &free_md[0], &free_md[1],
                     NULL, &free_md[2], strides, gaps, before, after) != dnnl_success ||
                 dnnl_primitive_desc_create(&pd, &d, attributes, engine, NULL) != dnnl_success;
    }
    if (attributes) dnnl_primitive_attr_destroy(attributes);
    if (failed) return 0;
    dnnl_query_t queries[3] = {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md};
    for (int m = 0; m < 3 && !failed; m++) {
        if (m == 1 && k->pools) continue;
        const dnnl_memory_desc_t *wanted = dnnl_primitive_desc_query_md(pd, queries[m], 0);
        failed = dnnl_memory_create(&p->user[m], &md[m], engine, DNNL_MEMORY_NONE) != dnnl_success;
        if (failed || dnnl_memory_desc_equal(wanted, &md[m])) continue;
        failed = dnnl_memory_create(&p->own[m], wanted, engine, DNNL_MEMORY_ALLOCATE) !=
                     dnnl_success ||
                 ((m < 2 || k->beta != 0) && !reorder(&p->in[m], p->user[m], p->own[m])) ||
                 (m == 2 && !reorder(&p->out, p->own[m], p->user[m]));
    }
    failed = failed || dnnl_primitive_create(&p->main, pd) != dnnl_success;
    dnnl_primitive_desc_destroy(pd);
    return !failed;
}

static void copy(dnnl_primitive_t reorder, dnnl_memory_t from, dnnl_memory_t to) {
    dnnl_exec_arg_t args[2] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnnl_primitive_execute(reorder, stream, 2, args);
}

static void run(plan *p, const float *source, const float *weight, float *target) {
    void *data[3] = {(void *)source, (void *)weight, target};
    dnnl_memory_t used[3];
    for (int m = 0; m < 3; m++) {
        if (!p->user[m]) continue;
        dnnl_memory_set_data_handle(p->user[m], data[m]);
        used[m] = p->own[m] ? p->own[m] : p->user[m];
        if (p->in[m]) copy(p->in[m], p->user[m], p->own[m]);
    }
    dnnl_exec_arg_t args[3] = {{DNNL_ARG_SRC, used[0]}, {DNNL_ARG_DST, used[2]},
                               {DNNL_ARG_WEIGHTS, p->user[1] ? used[1] : NULL}};
    dnnl_primitive_execute(p->main, stream, p->user[1] ? 3 : 2, args);
    if (p->out) copy(p->out, p->own[2], p->user[2]);
    dnnl_stream_wait(stream);
}

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void find(const windows *key, const float *source, const float *weight, float *target) {
    for (int k = 0; k < kept; k++)
        if (!memcmp(&plans[k].key, key, sizeof *key)) {
            if (plans[k].main) run(&plans[k], source, weight, target);
            else loops(key, source, weight, target);
            return;
        }
    if (kept == KEPT) {
        loops(key, source, weight, target);
        return;
    }
    plan *p = &plans[kept++];
    memset(p, 0, sizeof *p);
    memcpy(&p->key, key, sizeof *key);
    if (!make(p)) p->main = NULL;
    if (p->main) run(p, source, weight, target);
    else loops(key, source, weight, target);
}

static void apply(const windows *key, const float *source, const float *weight, float *target) {
    pthread_mutex_lock(&one_at_a_time); /* plans have memory of their own */
    find(key, source, weight, target);
    pthread_mutex_unlock(&one_at_a_time);
}

void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target) {
    windows key, given = S2S_PACK;
    memset(&key, 0, sizeof key);
    key = given;
    key.beta = beta;
    apply(&key, source, weight, target);
}

void s2s_pool_max(S2S_WINDOWS, const float *source, float *target) {
    windows key, given = S2S_PACK;
    memset(&key, 0, sizeof key);
    key = given;
    key.pools = 1;
    apply(&key, source, NULL, target);
}
#else
int s2s_has_onednn(void) { return 0; }
void s2s_convolution(S2S_WINDOWS, const float *source, const float *weight, float beta,
                     float *target) {
    windows none = S2S_PACK;
    (void)none, (void)source, (void)weight, (void)beta, (void)target;
}
void s2s_pool_max(S2S_WINDOWS, const float *source, float *target) {
    windows none = S2S_PACK;
    (void)none, (void)source, (void)target;
}
#endif
