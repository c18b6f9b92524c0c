#include <string.h>
DECLARED
MORE
int main(void)
{
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < 64; i++)
            BODY
    }
    LAST
    return (int)a[3];
}
