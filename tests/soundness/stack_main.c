#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
extern double in[520], out[520];
static unsigned char bytes[1 << 16], result[1 << 16];
DECLARED
static uint64_t sum(const unsigned char *p, unsigned n)
{
    uint64_t s = 5381;
    for (unsigned i = 0; i < n; i++)
        s = s * 33 + p[i];
    return s;
}
__attribute__((noinline)) static int call(int (*f)(void *, void *), int shift)
{
    volatile char *gap = alloca(shift);
    gap[0] = 0;
    return f(bytes, result) + gap[0];
}
static void each(const char *name, int (*f)(void *, void *))
{
    for (int shift = 16; shift <= 64; shift += 16) {
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = i % 7;
        memset(result, 0, sizeof result);
        for (int i = 0; i < 520; i++) {
            in[i] = i % 9 - 4.5;
            out[i] = 0;
        }
        call(f, shift);
        printf("%s %d %llx %llx\n", name, shift,
            (unsigned long long)sum(result, sizeof result),
            (unsigned long long)sum((const unsigned char *)out, sizeof out));
        fflush(stdout);
    }
}
int main(void)
{
    CALLS
    return 0;
}
