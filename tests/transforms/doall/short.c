// s2s: --parallel --passes=doall -- -fopenmp
// stays
/* Too little for threads, whatever the sizes are. */
void fill(double a[16][16], const double b[16])
{
    // missed: the loops are too short for threads [doall]
    for (int i = 0; i < 16; i++)
        for (int j = 1; j < 16; j++)
            a[i][j] = a[i][j - 1] * b[i];
}
