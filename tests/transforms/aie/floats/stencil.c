/* Elements in another order than that of memory, some of the window left out; then scaled. */
void stencil(const float a[10][34], float b[10][34])
{
    for (int i = 1; i < 9; i++)
        for (int j = 1; j < 33; j++)
            b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
}
