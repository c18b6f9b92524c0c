void f(int *a, int k);
void g(int *a) { for (int i = 0; i < 4; i++) f(a, i); }
static void h(int *a) { a[0] = 1; }
void f(int *a, int k) { h(a); }

