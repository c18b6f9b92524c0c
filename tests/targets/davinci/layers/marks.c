// pools: maximum over 2 x 3, stride 2 x 2, of 8 x 9 x 16, with its mask
void marks(const float x[8][9][16], float y[4][4][16], unsigned char marks[2][3][4][4][16])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 16; c++) {
                float m = x[2 * i][2 * j][c];
                for (int k = 0; k < 6; k++) {
                    float v = x[2 * i + k / 3][2 * j + k % 3][c];
                    m = v > m ? v : m;
                }
                y[i][j][c] = m;
                for (int k = 0; k < 6; k++)
                    marks[k / 3][k % 3][i][j][c] = x[2 * i + k / 3][2 * j + k % 3][c] == m;
            }
}
