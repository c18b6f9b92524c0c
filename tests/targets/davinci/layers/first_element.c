// pools: maximum over 3 x 2, stride 3 x 2, of 9 x 8 x 17
void first_element(const float x[17][9][8], float y[17][3][4])
{
    for (int c = 0; c < 17; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
                y[c][i][j] = x[c][3 * i][2 * j];
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 2; q++)
                        if (x[c][3 * i + p][2 * j + q] > y[c][i][j])
                            y[c][i][j] = x[c][3 * i + p][2 * j + q];
            }
}
