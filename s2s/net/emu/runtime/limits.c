/* A program that is run to be compared has little time and memory, and writes no files. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

__attribute__((constructor)) static void s2s_net_limit(void)
{
    const char *limit = getenv("S2S_NET_LIMIT"); /* ms of the processor's time */
    long most = limit ? atol(limit) : 3000;
    struct itimerval time = {.it_value = {most / 1000, most % 1000 * 1000}};
    struct rlimit none = {0, 0}, memory = {1ul << 31, 1ul << 31};
    setitimer(ITIMER_PROF, &time, 0);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
}
