// refused: 2: a maximum that begins with 0.1, a number that half precision has not
void no_half(const float x[16][8][8], float y[16][4][4])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                float m = 0.1f;
                for (int p = 0; p < 2; p++)
                    for (int q = 0; q < 2; q++)
                        m = x[c][2 * i + p][2 * j + q] > m ? x[c][2 * i + p][2 * j + q] : m;
                y[c][i][j] = m;
            }
}
