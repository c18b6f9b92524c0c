#define N 10
#if N < 5
int gone;
#endif
typedef struct { double x; int *p; } pair;
static pair kept[N];
int main(void)
{
    FILE *out = stdout;
    for (int i = 0; i < N; i++)
        kept[i].x = sqrt(i) + fabs(kept[(i + 1) % N].x) + M_PI;
    fprintf(out, "%g\n", kept[1].x);
    return kept[0].p != NULL;
}
