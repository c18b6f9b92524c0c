/* A program that is run to be compared has little time and memory, and writes no files. */
#include <sys/resource.h>
#include <sys/time.h>

__attribute__((constructor)) static void s2s_net_limit(void)
{
    struct itimerval time = {.it_value = {.tv_usec = 900000}};
    struct rlimit none = {0, 0}, memory = {1ul << 31, 1ul << 31};
    setitimer(ITIMER_PROF, &time, 0);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
}
