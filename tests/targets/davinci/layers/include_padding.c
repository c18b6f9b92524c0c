// pools: average over 3 x 3, stride 1 x 1, padding 1 1 1 1, of 10 x 10 x 16
void include_padding(const float x[16][10][10], float y[16][10][10])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                float s = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        if (i + p >= 1 && i + p < 11 && j + q >= 1 && j + q < 11)
                            s += x[c][i + p - 1][j + q - 1];
                y[c][i][j] = s * (1.0f / 9);
            }
}
