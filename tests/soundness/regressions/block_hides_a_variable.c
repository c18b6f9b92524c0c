// s2s: -- -O2 -fopenmp
// text: in strips
// What a block declares is its own: not its neighbours', nor the new loops'.

void f(int n, int m, short *a, short *b, short *c, const int *restrict p, short t)
{
    for (int i = n - 2; i > 0; i--) {
        { short t = a[i]; a[i] = t; b[i] = t * 2 + c[i]; }
        b[i] = a[i + 2];
        a[i] = p[i] + t;
    }
}
