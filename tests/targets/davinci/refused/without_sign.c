// refused: 7: data is converted to an integer type that may not hold it
void without_sign(const signed char x[16][8][8], signed char y[16][8][4])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 4; j++) {
                unsigned a = x[c][i][2 * j], b = x[c][i][2 * j + 1];
                y[c][i][j] = a > b ? a : b;
            }
}
