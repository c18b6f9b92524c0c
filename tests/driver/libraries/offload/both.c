void both(int m, const float w[restrict m][3][3], const float in[restrict 66][66], float out[restrict m][64][64],
          const float v[restrict m][500], const float *restrict x, float *restrict y)
{
    for (int o = 0; o < m; o++) {
        for (int r = 0; r < 64; r++)
            for (int c = 0; c < 64; c++) {
                float sum = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        sum += w[o][p][q] * in[r + p][c + q];
                out[o][r][c] = sum;
            }
        float sum = 0;
        for (int k = 0; k < 500; k++)
            sum += v[o][k] * x[k];
        y[o] = sum;
    }
}
