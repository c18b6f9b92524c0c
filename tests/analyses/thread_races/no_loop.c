int x;
void f(void)
{
#pragma omp parallel
    x = x + 1;
}
