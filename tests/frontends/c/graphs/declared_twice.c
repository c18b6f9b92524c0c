#pragma s2s graph vertices(n) out(off, nbr, w) in(back, from, v)
void f(int n, int *off) { for (int v = 0; v < n; v++) off[v] = 0; }
void g(int n, int *off)
{
#pragma s2s graph vertices(n) both(off, nbr)
    for (int v = 0; v < n; v++) off[v] = 0;
}
