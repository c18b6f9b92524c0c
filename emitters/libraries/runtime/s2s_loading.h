/* s2s: libraries are loaded when that is expected to pay; a part of s2s_libraries.c.

   Loading one takes milliseconds, more than a short program has to gain. Guards say how many
   nanoseconds a call is expected to save. A library is loaded once what it would have saved so far
   (or with the call that is asked for), times the share of the program's processor time that this is,
   comes to S2S_PAYS: soon where nearly all time is spent in what it takes, late where little is, so that
   loading it in vain is then a small part of the time. Until then the source's own text runs. With
   S2S_AT_ONCE in the environment it is loaded with the first call.

   A library of which the builder knows no file to load is linked, and there from the beginning. */
#if defined(S2S_WITH_BLAS) || defined(S2S_WITH_ONEDNN)
#include <stdlib.h>
#include <time.h>

#define S2S_PAYS 1e6 /* nanoseconds; loading OpenBLAS takes 3.5e6 to 5e6 */

typedef struct {
    int state; /* 1: loaded, -1: not there */
    double saved, next; /* next: with how much saved it is asked again what time it is */
    struct timespec first;
    int (*load)(void);
} library;

static int state_of(library *one) { return __atomic_load_n(&one->state, __ATOMIC_ACQUIRE); }

static int is_loaded(library *one) {
    static int busy;
    if (state_of(one) == 0) {
        while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) continue;
        if (state_of(one) == 0)
            __atomic_store_n(&one->state, one->load() ? 1 : -1, __ATOMIC_RELEASE);
        __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
    }
    return state_of(one) > 0;
}

/* Processor time, as what else the machine does tells nothing of the share. */
static double since(const struct timespec *first) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)(now.tv_sec - first->tv_sec) + (double)(now.tv_nsec - first->tv_nsec);
}

/* Whether the environment asks for it, which is looked up once. */
static int at_once(void) {
    static int asked;
    int known = __atomic_load_n(&asked, __ATOMIC_RELAXED);
    if (!known) {
        known = getenv("S2S_AT_ONCE") ? 1 : -1;
        __atomic_store_n(&asked, known, __ATOMIC_RELAXED);
    }
    return known > 0;
}

/* Whether a library is loaded, or is now as that pays. A thread that meets another one here goes
   on without. */
static int pays(library *one, double saved) {
    static int busy;
    double share;
    if (state_of(one) != 0) return state_of(one) > 0;
    if (at_once()) return is_loaded(one);
    if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) return 0;
    if (one->saved == 0) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &one->first);
        one->next = S2S_PAYS;
    }
    one->saved += saved;
    saved = 0;
    if (one->saved >= one->next) { /* asking takes as long as a short call */
        one->next = 1.1 * one->saved;
        share = one->saved / since(&one->first);
        saved = one->saved * (share < 1 ? share : 1);
    }
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
    return saved >= S2S_PAYS && is_loaded(one);
}

#if defined(S2S_BLAS_FILE) || defined(S2S_ONEDNN_FILE)
#include <dlfcn.h>
#define S2S_LATE(name) static __typeof__(name) *late_##name;
/* By way of memory: C has no cast from pointers of data to those of functions. */
#define S2S_FOUND(name)                                                                          \
    if (!(*(void **)&late_##name = dlsym(file, #name))) return 0;
#endif

#ifdef S2S_WITH_BLAS
#ifdef S2S_BLAS_FILE
#define S2S_BLAS_FUNCTIONS(X)                                                                    \
    X(cblas_sgemm) X(cblas_dgemm) X(cblas_sgemv) X(cblas_dgemv) X(cblas_sger) X(cblas_dger)      \
    X(cblas_sdot) X(cblas_ddot) X(cblas_saxpy) X(cblas_daxpy) X(cblas_sscal) X(cblas_dscal)      \
    X(cblas_ssyrk) X(cblas_dsyrk) X(cblas_ssyr2k) X(cblas_dsyr2k) X(openblas_get_num_threads)    \
    X(openblas_set_num_threads)
S2S_BLAS_FUNCTIONS(S2S_LATE)
static int load_blas(void) {
    void *file = dlopen(S2S_BLAS_FILE, RTLD_LAZY);
    if (!file) return 0;
    S2S_BLAS_FUNCTIONS(S2S_FOUND)
    return 1;
}
#define cblas_sgemm late_cblas_sgemm
#define cblas_dgemm late_cblas_dgemm
#define cblas_sgemv late_cblas_sgemv
#define cblas_dgemv late_cblas_dgemv
#define cblas_sger late_cblas_sger
#define cblas_dger late_cblas_dger
#define cblas_sdot late_cblas_sdot
#define cblas_ddot late_cblas_ddot
#define cblas_saxpy late_cblas_saxpy
#define cblas_daxpy late_cblas_daxpy
#define cblas_sscal late_cblas_sscal
#define cblas_dscal late_cblas_dscal
#define cblas_ssyrk late_cblas_ssyrk
#define cblas_dsyrk late_cblas_dsyrk
#define cblas_ssyr2k late_cblas_ssyr2k
#define cblas_dsyr2k late_cblas_dsyr2k
#define openblas_get_num_threads late_openblas_get_num_threads
#define openblas_set_num_threads late_openblas_set_num_threads
static library blas = {.load = load_blas};
#else
static library blas = {.state = 1};
#endif
#endif

#ifdef S2S_WITH_ONEDNN
#ifdef S2S_ONEDNN_FILE
#define S2S_ONEDNN_FUNCTIONS(X)                                                                  \
    X(dnnl_dilated_convolution_forward_desc_init) X(dnnl_eltwise_forward_desc_init)              \
    X(dnnl_engine_create) X(dnnl_memory_create) X(dnnl_memory_desc_equal)                        \
    X(dnnl_memory_desc_init_by_strides) X(dnnl_memory_desc_init_by_tag)                          \
    X(dnnl_memory_get_memory_desc) X(dnnl_memory_set_data_handle)                                \
    X(dnnl_pooling_v2_forward_desc_init) X(dnnl_post_ops_append_sum) X(dnnl_post_ops_create)     \
    X(dnnl_post_ops_destroy) X(dnnl_primitive_attr_create) X(dnnl_primitive_attr_destroy)        \
    X(dnnl_primitive_attr_set_post_ops) X(dnnl_primitive_create) X(dnnl_primitive_desc_create)   \
    X(dnnl_primitive_desc_destroy) X(dnnl_primitive_desc_query_md) X(dnnl_primitive_execute)     \
    X(dnnl_reorder_primitive_desc_create) X(dnnl_softmax_v2_forward_desc_init)                   \
    X(dnnl_stream_create) X(dnnl_stream_wait)
S2S_ONEDNN_FUNCTIONS(S2S_LATE)
static int load_onednn(void) {
    void *file = dlopen(S2S_ONEDNN_FILE, RTLD_LAZY);
    if (!file) return 0;
    S2S_ONEDNN_FUNCTIONS(S2S_FOUND)
    return 1;
}
#define dnnl_dilated_convolution_forward_desc_init late_dnnl_dilated_convolution_forward_desc_init
#define dnnl_eltwise_forward_desc_init late_dnnl_eltwise_forward_desc_init
#define dnnl_engine_create late_dnnl_engine_create
#define dnnl_memory_create late_dnnl_memory_create
#define dnnl_memory_desc_equal late_dnnl_memory_desc_equal
#define dnnl_memory_desc_init_by_strides late_dnnl_memory_desc_init_by_strides
#define dnnl_memory_desc_init_by_tag late_dnnl_memory_desc_init_by_tag
#define dnnl_memory_get_memory_desc late_dnnl_memory_get_memory_desc
#define dnnl_memory_set_data_handle late_dnnl_memory_set_data_handle
#define dnnl_pooling_v2_forward_desc_init late_dnnl_pooling_v2_forward_desc_init
#define dnnl_post_ops_append_sum late_dnnl_post_ops_append_sum
#define dnnl_post_ops_create late_dnnl_post_ops_create
#define dnnl_post_ops_destroy late_dnnl_post_ops_destroy
#define dnnl_primitive_attr_create late_dnnl_primitive_attr_create
#define dnnl_primitive_attr_destroy late_dnnl_primitive_attr_destroy
#define dnnl_primitive_attr_set_post_ops late_dnnl_primitive_attr_set_post_ops
#define dnnl_primitive_create late_dnnl_primitive_create
#define dnnl_primitive_desc_create late_dnnl_primitive_desc_create
#define dnnl_primitive_desc_destroy late_dnnl_primitive_desc_destroy
#define dnnl_primitive_desc_query_md late_dnnl_primitive_desc_query_md
#define dnnl_primitive_execute late_dnnl_primitive_execute
#define dnnl_reorder_primitive_desc_create late_dnnl_reorder_primitive_desc_create
#define dnnl_softmax_v2_forward_desc_init late_dnnl_softmax_v2_forward_desc_init
#define dnnl_stream_create late_dnnl_stream_create
#define dnnl_stream_wait late_dnnl_stream_wait
static library onednn = {.load = load_onednn};
#else
static library onednn = {.state = 1};
#endif
#endif
#endif
