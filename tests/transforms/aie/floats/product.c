/* Sums go on from the output's elements; the reduction stays a loop. */
void product(const float a[8][48], const float b[48][32], float c[8][32])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 32; j++)
            for (int k = 0; k < 48; k++)
                c[i][j] += a[i][k] * b[k][j];
}
