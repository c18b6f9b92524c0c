/* Arguments: length of the sequences, penalty, threads; they go on to the suite's main.
 *
 * The kernel stands among input and output in one function that keeps its result to itself. The
 * linker hands us some of its calls (--wrap): the kernel runs from the line that announces it to
 * the first call of free, and the second block that was allocated for it is the result.
 */
#include "../bench.h"

int suite_main(int argc, char **argv);

extern "C" {
void *__real_malloc(size_t size);
void __real_free(void *memory);
int __real_puts(const char *text);
void *__wrap_malloc(size_t size);
void __wrap_free(void *memory);
int __wrap_puts(const char *text);
}

static size_t matrix_bytes;
static int matrices;
static int *result;
static double start;

void *__wrap_malloc(size_t size)
{
    void *memory = __real_malloc(size);
    if (size == matrix_bytes && start == 0.0 && ++matrices == 2) {
        memset(memory, 0, size);
        result = (int *)memory;
    }
    return memory;
}

int __wrap_puts(const char *text)
{
    if (strncmp(text, "Processing top-left", 19) == 0)
        start = bench_now();
    return __real_puts(text);
}

void __wrap_free(void *memory)
{
    if (start > 0.0 && result) {
        bench_time(bench_now() - start);
        bench_ints("scores", result, matrix_bytes / sizeof *result);
        result = NULL;
    }
    __real_free(memory);
}

int main(int argc, char **argv)
{
    size_t side = (size_t)bench_argument(argc, argv, 1) + 1;
    matrix_bytes = side * side * sizeof(int);
    return suite_main(argc, argv);
}
