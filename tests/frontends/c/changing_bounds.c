static int dims[3];
void f(int **a)
{
#pragma omp parallel for
    for (int i = 0; i < dims[2]; i++)
        for (int j = 0; j < dims[1]; j++)
            a[j][i] += i;
}
