/* A border, a bias before the sum, limits on both sides. */
void layer(const float in[6][6][8], const float w[16][3][3][8], const float bias[16],
           float out[6][6][16])
{
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 6; x++)
            for (int k = 0; k < 16; k++) {
                float acc = bias[k];
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++) {
                        if (y + r - 1 < 0 || y + r - 1 >= 6 || x + s - 1 < 0 || x + s - 1 >= 6)
                            continue;
                        for (int c = 0; c < 8; c++)
                            acc += in[y + r - 1][x + s - 1][c] * w[k][r][s][c];
                    }
                if (acc < 0.0f)
                    acc = 0.0f;
                if (acc > 6.0f)
                    acc = 6.0f;
                out[y][x][k] = acc;
            }
}
