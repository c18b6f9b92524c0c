/* Writes a graph's inputs, or compares what it left with what the program computes. */
#include SOURCE
#include WINDOWS

static unsigned long state = 7;

static int next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)(state >> 33) % 31 - 15;
}

#define FILL(array) for (long n = 0; n < (long)(sizeof array / sizeof *array); ++n) array[n] = next()

int main(int count, char **words)
{
    static TYPE one[16384], two[16384], found[16384], wanted[16384];
    static int32_t three[64];
    FILL(one);
    FILL(two);
    FILL(three);
    if (count < 2) return WRITE;
    if (READ) return 2;
    CALL;
    return memcmp(found, wanted, sizeof found) != 0;
}
