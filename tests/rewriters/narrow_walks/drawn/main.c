/* Calls of drawn walks for counts and amounts at the ends of their types. */
#include <stddef.h>
#include <stdio.h>
static unsigned short shorts[100];
static unsigned char chars[100];
WALKS
int main(void)
{
    const unsigned long amounts[] = {0, 1, 9, 254, 255, 256, 65534, 65535, 65536, ~0ul};
    unsigned long drawn = 1, sum = 0;
    for (int n = 1; n <= 100; n += 1 + n / 8)
        for (int k = 0; k < 10; k++) {
            for (int i = 0; i < 100; i++) {
                drawn = drawn * 6364136223846793005u + 1442695040888963407u;
                shorts[i] = i % 5 ? drawn >> 45 : 65535 - i % 3;
                chars[i] = drawn >> 35;
            }
CALLS
            for (int i = 0; i < 100; i++) sum = sum * 31 + shorts[i] + 3u * chars[i];
            printf("%lu\n", sum);
        }
    return 0;
}
