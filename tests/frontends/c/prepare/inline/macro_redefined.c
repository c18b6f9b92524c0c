#define N 3
void f(int *a, int k) { a[k] = N; }
#undef N
#define N 4
void g(int *a) { for (int i = 0; i < N; i++) f(a, i); }

