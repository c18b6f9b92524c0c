// pools: sum over 2 x 2, stride 2 x 2, of 8 x 8 x 16, backward, added to what is there
void accumulates(const float dy[16][4][4], float dx[16][8][8])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 4; k++)
                    dx[c][2 * i + k / 2][2 * j + k % 2] += dy[c][i][j];
}
