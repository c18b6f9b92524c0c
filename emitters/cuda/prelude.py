"""Text at the top of a file with kernels: what the host code calls.

Nothing here decides anything. ``S2S_LAUNCH`` may be defined by whoever compiles the file without
``nvcc``.
"""

from __future__ import annotations

_TEXT = """\
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef restrict
#define restrict __restrict__
#endif
#ifndef S2S_LAUNCH
#define S2S_LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#endif
/* Device memory with the bytes from first to end; 0 where that fails. */
static inline int @to_device(void **device, const char *first, const char *end) {
    return cudaMalloc(device, (size_t)(end - first)) == cudaSuccess
        && cudaMemcpy(*device, first, (size_t)(end - first), cudaMemcpyHostToDevice) == cudaSuccess;
}
/* Whether the last launch has ended well. */
static inline int @finished(void) {
    const int launched = cudaGetLastError() == cudaSuccess;
    return cudaDeviceSynchronize() == cudaSuccess && launched;
}
/* Once one array has been copied back the source's loop cannot run any more. */
static inline void @to_host(const char *first, const char *end, const void *device) {
    const size_t size = (size_t)(end - first);
    if (cudaMemcpy((void *)first, device, size, cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "results are lost on the device\\n");
        abort();
    }
}
"""


def prelude(prefix: str) -> str:
    """The text, with names that begin with ``prefix``."""
    return _TEXT.replace("@", prefix)
