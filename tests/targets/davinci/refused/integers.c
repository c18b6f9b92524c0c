// refused: 10: integers are divided, which rounds
void integers(const unsigned char x[16][8][8], unsigned char y[16][4][4])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                unsigned s = 0;
                for (int k = 0; k < 4; k++)
                    s += x[c][2 * i + k / 2][2 * j + k % 2];
                y[c][i][j] = s / 4;
            }
}
