// pools: maximum over 3 x 3, stride 2 x 2, padding 0 1 0 1, of 12 x 12 x 16
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void rounded_up(const float x[16][12][12], float y[16][6][6])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                float m = x[c][2 * i][2 * j];
                for (int p = 2 * i; p < MIN(2 * i + 3, 12); p++)
                    for (int q = 2 * j; q < MIN(2 * j + 3, 12); q++)
                        m = x[c][p][q] > m ? x[c][p][q] : m;
                y[c][i][j] = m;
            }
}
