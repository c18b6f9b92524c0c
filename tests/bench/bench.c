#include <stdio.h>
int main(int argc, char **argv)
{
    double a = argc + 0.1, b = 3.3, c = -a * b;
    printf("bits: %a\nsum: %.9g %s\n", a * b + c, a, argv[1]);
    fprintf(stderr, "time: 0.50 s\n");
    return 0;
}
