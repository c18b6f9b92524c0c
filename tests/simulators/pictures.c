#include <cilk/cilk.h>
#include <memoryweb.h>
long *values;
int main(void)
{
    values = mw_malloc1dlong(64);
    long sum = 0;
    for (long i = 0; i < 64; i++)
        sum += values[i];
    return sum != 0;
}
