/* Rows by a vector: threads start where each has enough to do, not for a few rows of 64. */

void apply(int rows, float (*restrict m)[64], const float *restrict v, float *restrict out)
{
    {
        /* s2s: loops (i, j), unrolled and jammed 'i' by 8, parallel outside */
#ifdef _OPENMP
        extern int omp_get_max_threads(void);
        const int s2s_threads = omp_get_max_threads();
#else
        const int s2s_threads = 1;
#endif
        if (rows >= 8) {
#pragma omp parallel for \
       if(rows >= 16L * s2s_threads && (double)rows >= 8192.0 * s2s_threads)
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(rows - 1) / 8; s2s_i_tile++) {
                if (rows >= 8 * s2s_i_tile + 8) {
                    float s2s_out_0 = out[8 * s2s_i_tile];
                    float s2s_out_1 = out[8 * s2s_i_tile + 1];
                    float s2s_out_2 = out[8 * s2s_i_tile + 2];
                    float s2s_out_3 = out[8 * s2s_i_tile + 3];
                    float s2s_out_4 = out[8 * s2s_i_tile + 4];
                    float s2s_out_5 = out[8 * s2s_i_tile + 5];
                    float s2s_out_6 = out[8 * s2s_i_tile + 6];
                    float s2s_out_7 = out[8 * s2s_i_tile + 7];
                    for (int j = 0; j <= 63; j++) {
                        const float s2s_v_0 = v[j];
                        {
                            const int i = (int)(8 * s2s_i_tile);
                            s2s_out_0 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 1);
                            s2s_out_1 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 2);
                            s2s_out_2 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 3);
                            s2s_out_3 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 4);
                            s2s_out_4 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 5);
                            s2s_out_5 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 6);
                            s2s_out_6 += m[i][j] * s2s_v_0;
                        }
                        {
                            const int i = (int)(8 * s2s_i_tile + 7);
                            s2s_out_7 += m[i][j] * s2s_v_0;
                        }
                    }
                    out[8 * s2s_i_tile] = s2s_out_0;
                    out[8 * s2s_i_tile + 1] = s2s_out_1;
                    out[8 * s2s_i_tile + 2] = s2s_out_2;
                    out[8 * s2s_i_tile + 3] = s2s_out_3;
                    out[8 * s2s_i_tile + 4] = s2s_out_4;
                    out[8 * s2s_i_tile + 5] = s2s_out_5;
                    out[8 * s2s_i_tile + 6] = s2s_out_6;
                    out[8 * s2s_i_tile + 7] = s2s_out_7;
                } else {
                    for (int i = (int)(8 * s2s_i_tile); i < rows; i++) {
                        for (int j = 0; j <= 63; j++) {
                            out[i] += m[i][j] * v[j];
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 64; j++)
            out[i] += m[i][j] * v[j];
        }
    }
}

void apply_few(float (*restrict m)[64], const float *restrict v, float *restrict out)
{
    {
        /* s2s: loops (i, j), unrolled and jammed 'i' by 8 */
        for (long s2s_i_tile = 0; s2s_i_tile <= 5; s2s_i_tile++) {
            float s2s_out_0 = out[8 * s2s_i_tile];
            float s2s_out_1 = out[8 * s2s_i_tile + 1];
            float s2s_out_2 = out[8 * s2s_i_tile + 2];
            float s2s_out_3 = out[8 * s2s_i_tile + 3];
            float s2s_out_4 = out[8 * s2s_i_tile + 4];
            float s2s_out_5 = out[8 * s2s_i_tile + 5];
            float s2s_out_6 = out[8 * s2s_i_tile + 6];
            float s2s_out_7 = out[8 * s2s_i_tile + 7];
            for (int j = 0; j <= 63; j++) {
                const float s2s_v_0 = v[j];
                {
                    const int i = (int)(8 * s2s_i_tile);
                    s2s_out_0 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 1);
                    s2s_out_1 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 2);
                    s2s_out_2 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 3);
                    s2s_out_3 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 4);
                    s2s_out_4 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 5);
                    s2s_out_5 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 6);
                    s2s_out_6 += m[i][j] * s2s_v_0;
                }
                {
                    const int i = (int)(8 * s2s_i_tile + 7);
                    s2s_out_7 += m[i][j] * s2s_v_0;
                }
            }
            out[8 * s2s_i_tile] = s2s_out_0;
            out[8 * s2s_i_tile + 1] = s2s_out_1;
            out[8 * s2s_i_tile + 2] = s2s_out_2;
            out[8 * s2s_i_tile + 3] = s2s_out_3;
            out[8 * s2s_i_tile + 4] = s2s_out_4;
            out[8 * s2s_i_tile + 5] = s2s_out_5;
            out[8 * s2s_i_tile + 6] = s2s_out_6;
            out[8 * s2s_i_tile + 7] = s2s_out_7;
        }
    }
}
