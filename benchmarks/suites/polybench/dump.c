/* The suite dumps its results with two digits on standard error. The linker hands us its calls of
 * fprintf (--wrap), and what is printed at the end is a digest of all bits of all numbers. */
#include <stdarg.h>

#include "../bench.h"

int __wrap_fprintf(FILE *stream, const char *format, ...);
int __real_fprintf(FILE *stream, const char *format, ...);
int __wrap_fputc(int character, FILE *stream);
size_t __wrap_fwrite(const void *text, size_t size, size_t count, FILE *stream);

static bench_digest dumped;

/* A format of the suite has at most one conversion: of a name, an int or a double. */
int __wrap_fprintf(FILE *stream, const char *format, ...)
{
    size_t length = strlen(format);
    char conversion = 0;
    va_list arguments;
    for (const char *at = strchr(format, '%'); at && *at && !conversion; at++)
        if (strchr("sdf", *at))
            conversion = *at;
    va_start(arguments, format);
    if (conversion == 'f')
        bench_add(&dumped, va_arg(arguments, double));
    else if (conversion == 'd')
        bench_add(&dumped, va_arg(arguments, int));
    va_end(arguments);
    return stream ? (int)length : 0;
}

/* What a compiler makes of fprintf without conversions. */
int __wrap_fputc(int character, FILE *stream)
{
    return stream ? character : 0;
}

size_t __wrap_fwrite(const void *text, size_t size, size_t count, FILE *stream)
{
    return text && size && stream ? count : 0;
}

__attribute__((destructor)) static void print_digest(void)
{
    uint64_t count = dumped.count;
    __real_fprintf(stdout, "bits: %016llx\n", (unsigned long long)dumped.hash);
    if (dumped.plain != dumped.plain)
        __real_fprintf(stdout, "sum: %llu nan\n", (unsigned long long)count);
    else
        __real_fprintf(stdout, "sum: %llu %.12e %.12e\n", (unsigned long long)count, dumped.plain,
                       dumped.weighted);
}
