// pools: maximum over 3 x 3, stride 2 x 2, of 15 x 15 x 16, backward
void max_backward(const float dy[16][7][7], const float mask[16][3][3][7][7], float dx[16][15][15])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 15; i++)
            for (int j = 0; j < 15; j++)
                dx[c][i][j] = 0;
    for (int c = 0; c < 16; c++)
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
                for (int i = 0; i < 7; i++)
                    for (int j = 0; j < 7; j++)
                        dx[c][2 * i + p][2 * j + q] += mask[c][p][q][i][j] * dy[c][i][j];
}
