// pools: average over 2 x 2, stride 2 x 2, of 16 x 16 x 16, backward
void average_backward(const float dy[16][8][8], float dx[16][16][16])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++)
                dx[c][i][j] = 0;
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                for (int p = 0; p < 2; p++)
                    for (int q = 0; q < 2; q++)
                        dx[c][2 * i + p][2 * j + q] += dy[c][i][j] / 4;
}
