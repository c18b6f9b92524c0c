// pools: maximum over 3 x 3, stride 2 x 2, of 10 x 8 x 16 (6 of them), with its mask; stays
typedef _Float16 half;
void pool(const half in[2][3][10][8][16], half out[2][3][4][3][16], half mask[2][3][3][3][4][3][16]) {
    for (int n = 0; n < 2; n++)
        for (int c1 = 0; c1 < 3; c1++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 3; x++)
                    for (int c0 = 0; c0 < 16; c0++) {
                        half best = in[n][c1][y * 2][x * 2][c0];
                        int at = 0;
                        for (int k = 1; k < 9; k++)
                            if (in[n][c1][y * 2 + k / 3][x * 2 + k % 3][c0] > best) {
                                best = in[n][c1][y * 2 + k / 3][x * 2 + k % 3][c0];
                                at = k;
                            }
                        out[n][c1][y][x][c0] = best;
                        for (int k = 0; k < 9; k++) mask[n][c1][k / 3][k % 3][y][x][c0] = k == at;
                    }
}
