// s2s: --parallel
/* A local that is one number has few iterations for sure; one that others set may have many. */

void known(double *w)
{
    int n = 100;
    for (int i = 0; i < n; i++) // missed: too short for threads
        w[i] = w[i] * 2 + 1;
}

void set_by_an_instruction(double *w)
{
    int n = 100;
    __asm__("" : "+r"(n));
    for (int i = 0; i < n; i++) // remark: parallel loop over 'i'
        w[i] = w[i] * 2 + 1;
}

void set_elsewhere(double *w, int many)
{
    int n = 100;
    if (many)
        n = 1000000;
    for (int i = 0; i < n; i++) // remark: parallel loop over 'i'
        w[i] = w[i] * 2 + 1;
}
