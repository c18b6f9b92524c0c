// refused: 2: 2 arrays are written
void gather(const float x[16][8][8], float y[16][4][4], int at[16][4][4])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                y[c][i][j] = x[c][2 * i][2 * j];
                at[c][i][j] = 2 * i * 8 + 2 * j;
            }
}
