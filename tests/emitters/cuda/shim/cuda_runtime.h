/* CUDA on the host, for tests: the threads of a block are threads, blocks run one after the other.
 *
 * SHIM_FAILS counts down with every call that can fail; the call that finds it at one does. */
#ifndef SHIM_CUDA_RUNTIME_H
#define SHIM_CUDA_RUNTIME_H
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

struct dim3 { unsigned x, y, z; };
static thread_local dim3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static std::barrier<> *shim_barrier;

#define __global__ static
#define __shared__ static
#define __syncthreads() shim_barrier->arrive_and_wait()

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

template <class Kernel> static void shim_launch(unsigned blocks, unsigned threads, Kernel kernel) {
    std::barrier<> barrier(threads);
    shim_barrier = &barrier;
    shim_launches++;
    gridDim = {blocks, 1, 1};
    blockDim = {threads, 1, 1};
    for (unsigned block = 0; block < blocks; block++) {
        std::vector<std::thread> running;
        for (unsigned thread = 0; thread < threads; thread++)
            running.emplace_back([=] {
                threadIdx = {thread, 0, 0};
                blockIdx = {block, 0, 0};
                kernel();
            });
        for (std::thread &one : running) one.join();
    }
}
#define S2S_LAUNCH(kernel, blocks, threads, ...) \
    shim_launch(blocks, threads, [=] { kernel(__VA_ARGS__); })
#endif
