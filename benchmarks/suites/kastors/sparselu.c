/* Arguments: blocks along a side, size of a block.
 *
 * The suite's own `run` makes the sparse matrix and keeps it to itself, so the linker hands its
 * call of the kernel to us (--wrap), where it is timed and its result read.
 */
#include "../bench.h"
#include "main.h"

void __real_sparselu_par_call(float **blocks, int count, int size);

void __wrap_sparselu_par_call(float **blocks, int count, int size)
{
    double start = bench_now();
    __real_sparselu_par_call(blocks, count, size);
    bench_time(bench_now() - start);

    bench_digest digest = {0, 0, 0.0, 0.0};
    for (int block = 0; block < count * count; block++) {
        bench_add(&digest, blocks[block] != NULL);
        for (int i = 0; blocks[block] && i < size * size; i++)
            bench_add(&digest, blocks[block][i]);
    }
    bench_print("blocks", &digest);
}

int main(int argc, char **argv)
{
    struct user_parameters parameters;
    uint64_t start = 0, end = 0;
    memset(&parameters, 0, sizeof parameters);
    parameters.matrix_size = bench_argument(argc, argv, 1);
    parameters.submatrix_size = bench_argument(argc, argv, 2);
    run(&parameters, &start, &end);
    return 0;
}
