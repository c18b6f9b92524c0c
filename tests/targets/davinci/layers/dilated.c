// pools: maximum over 3 x 3, stride 1 x 1, padding 2 2 2 2, dilation 2 x 2, of 11 x 12 x 16
void dilated(const float x[16][11][12], float y[16][11][12])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 11; i++)
            for (int j = 0; j < 12; j++) {
                float m = -1e30f;
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++) {
                        int r = i + 2 * p, s = j + 2 * q;
                        if (r >= 0 && r < 11 && s >= 0 && s < 12)
                            m = m > x[c][r][s] ? m : x[c][r][s];
                    }
                y[c][i][j] = m;
            }
}
