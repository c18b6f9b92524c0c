// pools: maximum over 2 x 2, stride 2 x 2, of 8 x 8 x 16, at least 0
void relu(const float x[16][8][8], float y[16][4][4])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                float m = 0;
                for (int p = 0; p < 2; p++)
                    for (int q = 0; q < 2; q++)
                        m = x[c][2 * i + p][2 * j + q] > m ? x[c][2 * i + p][2 * j + q] : m;
                y[c][i][j] = m;
            }
}
