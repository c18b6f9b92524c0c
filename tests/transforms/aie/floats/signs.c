/* Numbers of both signs, no loop of the sum. */
void signs(const float a[10][32], float b[8][32])
{
    for (int i = 0; i < 8; i++)
        for (int j = 1; j < 31; j++)
            b[i][j] = a[i][j] - 4.0f * a[i + 1][j] + 0.3f * a[i + 2][j] - a[i + 1][j - 1];
}
