// pools: maximum over 3 x 3, stride 2 x 2, of 15 x 17 x 20
void plain(const float x[20][15][17], float y[20][7][8])
{
    for (int c = 0; c < 20; c++)
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 8; j++) {
                float m = -3.4e38f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        if (x[c][2 * i + p][2 * j + q] > m)
                            m = x[c][2 * i + p][2 * j + q];
                y[c][i][j] = m;
            }
}
