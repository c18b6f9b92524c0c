/* Functions that declare what their loops count by, of which nothing else is used. */
double left[100][100], right[100][100], product[100][100];

void multiply(void)
{
    int i, j, k;
    for (i = 0; i < 100; i++)
        for (k = 0; k < 100; k++)
            for (j = 0; j < 100; j++)
                product[i][j] += left[i][k] * right[k][j];
}

int multiply_in_threads(void)
{
    int i, j, k;
    double factor;
#pragma omp parallel for private(j, k, factor)
    for (i = 0; i < 100; i++)
        for (k = 0; k < 100; k++) {
            factor = 2 * left[i][k];
            for (j = 0; j < 100; j++)
                product[i][j] += factor * right[k][j];
        }
    for (i = 0; left[i][i] > 0; i++)
        ;
    return i;
}

void multiply_what_is_listed(void)
{
    int i, j, k;
#pragma omp parallel default(none) shared(left, right, product)
#pragma omp for private(j, k)
    for (i = 0; i < 100; i++)
        for (k = 0; k < 100; k++)
            for (j = 0; j < 100; j++)
                product[i][j] += left[i][k] * right[k][j];
}
