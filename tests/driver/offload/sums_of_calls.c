#include <stdio.h>
int a[4];
int main(void)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) a[i] = a[i] + i;
        printf("%d\n", a[3]);
    }
    return 0;
}
