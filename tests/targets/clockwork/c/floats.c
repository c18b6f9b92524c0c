void floats(const float a[10][12], float b[8][10])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 10; j++)
            b[i][j] = 0.25f * (a[i][j+1] + a[i+1][j] + a[i+2][j+1] + a[i+1][j+2]) - a[i+1][j+1];
}
