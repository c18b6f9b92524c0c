#include <stdio.h>
double c[NI];
int main(void)
{
    for (int i = 0; i < NI; i++)
        c[i] = 0.125 * i;
    printf("%0.6f\n", 0.5);
    for (int i = 0; i < NI; i++)
        fprintf(stderr, "%0.2lf ", c[i]);
    return 0;
}
