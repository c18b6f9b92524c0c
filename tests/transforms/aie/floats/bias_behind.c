/* The bias is added behind the sum; columns of the filter before its rows; strides. */
void bias_behind(const float in[19][36], const float w[4][3][5], const float bias[4],
                 float out[4][8][16])
{
    for (int k = 0; k < 4; k++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 16; x++) {
                float s = 0;
                for (int q = 0; q < 5; q++)
                    for (int r = 0; r < 3; r++)
                        s += w[k][r][q] * in[2 * y + r][2 * x + q];
                s = s + bias[k];
                out[k][y][x] = s > 0 ? s : 0;
            }
}
