/* CUDA on the host, for tests: the threads of a block are threads, blocks run one after the other.
 *
 * POSIX threads: the headers of C++'s own take most of the time that a test takes.
 * SHIM_FAILS counts down with every call that can fail; the call that finds it at one does. */
#ifndef SHIM_CUDA_RUNTIME_H
#define SHIM_CUDA_RUNTIME_H
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct dim3 { unsigned x, y, z; };
static thread_local dim3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static pthread_barrier_t shim_barrier;

#define __global__ static
#define __shared__ static
#define __syncthreads() pthread_barrier_wait(&shim_barrier)

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

static int shim_left = getenv("SHIM_FAILS") ? atoi(getenv("SHIM_FAILS")) : 0;
static int shim_launches;
static inline cudaError_t shim_result(void) {
    return shim_left && !--shim_left ? cudaErrorMemoryAllocation : cudaSuccess;
}
static inline cudaError_t cudaMalloc(void **memory, size_t size) {
    cudaError_t result = shim_result();
    if (result == cudaSuccess) *memory = malloc(size);
    return result;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
    cudaError_t result = kind == cudaMemcpyHostToDevice ? shim_result() : cudaSuccess;
    if (result == cudaSuccess) memcpy(to, from, size);
    return result;
}
static inline void cudaFree(void *memory) { free(memory); }
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize(void) { return shim_result(); }

struct shim_thread { unsigned thread, block; void (*call)(const void *); const void *kernel; };
static inline void *shim_run(void *given) {
    shim_thread *self = (shim_thread *)given;
    threadIdx = {self->thread, 0, 0};
    blockIdx = {self->block, 0, 0};
    self->call(self->kernel);
    return nullptr;
}
template <class Kernel> static void shim_launch(unsigned blocks, unsigned threads, Kernel kernel) {
    shim_thread *given = new shim_thread[threads];
    pthread_t *running = new pthread_t[threads];
    pthread_barrier_init(&shim_barrier, nullptr, threads);
    shim_launches++;
    gridDim = {blocks, 1, 1};
    blockDim = {threads, 1, 1};
    for (unsigned block = 0; block < blocks; block++) {
        for (unsigned thread = 0; thread < threads; thread++) {
            given[thread] = {thread, block, [](const void *of) { (*(const Kernel *)of)(); }, &kernel};
            if (pthread_create(&running[thread], nullptr, shim_run, &given[thread])) abort();
        }
        for (unsigned thread = 0; thread < threads; thread++) pthread_join(running[thread], nullptr);
    }
    pthread_barrier_destroy(&shim_barrier);
    delete[] given;
    delete[] running;
}
#define S2S_LAUNCH(kernel, blocks, threads, ...) \
    shim_launch(blocks, threads, [=] { kernel(__VA_ARGS__); })
#endif
