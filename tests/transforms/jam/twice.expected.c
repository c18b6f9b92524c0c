void f(int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], double *restrict x, double *restrict y, double *restrict z)
{
    {
        /* s2s: loops (i, j), unrolled and jammed 'i' by 4 */
        if (m >= 1 && n <= 70) {
            for (long s2s_i_tile = 0; s2s_i_tile <= (long)(m - 1) / 4; s2s_i_tile++) {
                {
                    long s2s_i_end = m - 1;
                    if (s2s_i_end > 4 * s2s_i_tile + 3) s2s_i_end = 4 * s2s_i_tile + 3;
                    for (int i = (int)(4 * s2s_i_tile); i <= s2s_i_end; i++) {
                        x[i] = 0;
                    }
                }
                if (m >= 4 * s2s_i_tile + 4) {
                    if (0 < n) {
                        double s2s_x_0 = x[4 * s2s_i_tile];
                        double s2s_x_1 = x[4 * s2s_i_tile + 1];
                        double s2s_x_2 = x[4 * s2s_i_tile + 2];
                        double s2s_x_3 = x[4 * s2s_i_tile + 3];
                        for (int j = 0; j < n; j++) {
                            const double s2s_y_0 = y[j];
                            {
                                const int i = (int)(4 * s2s_i_tile);
                                s2s_x_0 = s2s_x_0 + a[i][j] * s2s_y_0;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 1);
                                s2s_x_1 = s2s_x_1 + a[i][j] * s2s_y_0;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 2);
                                s2s_x_2 = s2s_x_2 + a[i][j] * s2s_y_0;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 3);
                                s2s_x_3 = s2s_x_3 + a[i][j] * s2s_y_0;
                            }
                        }
                        x[4 * s2s_i_tile] = s2s_x_0;
                        x[4 * s2s_i_tile + 1] = s2s_x_1;
                        x[4 * s2s_i_tile + 2] = s2s_x_2;
                        x[4 * s2s_i_tile + 3] = s2s_x_3;
                    }
                } else {
                    for (int i = (int)(4 * s2s_i_tile); i < m; i++) {
                        for (int j = 0; j < n; j++) {
                            x[i] = x[i] + a[i][j] * y[j];
                        }
                    }
                }
                if (m >= 4 * s2s_i_tile + 4) {
                    if (0 < n) {
                        const double s2s_x_0 = x[4 * s2s_i_tile];
                        const double s2s_x_1 = x[4 * s2s_i_tile + 1];
                        const double s2s_x_2 = x[4 * s2s_i_tile + 2];
                        const double s2s_x_3 = x[4 * s2s_i_tile + 3];
                        for (int j = 0; j < n; j++) {
                            double s2s_z_0 = z[j];
                            {
                                const int i = (int)(4 * s2s_i_tile);
                                s2s_z_0 = s2s_z_0 + a[i][j] * s2s_x_0;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 1);
                                s2s_z_0 = s2s_z_0 + a[i][j] * s2s_x_1;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 2);
                                s2s_z_0 = s2s_z_0 + a[i][j] * s2s_x_2;
                            }
                            {
                                const int i = (int)(4 * s2s_i_tile + 3);
                                s2s_z_0 = s2s_z_0 + a[i][j] * s2s_x_3;
                            }
                            z[j] = s2s_z_0;
                        }
                    }
                } else {
                    for (int i = (int)(4 * s2s_i_tile); i < m; i++) {
                        for (int j = 0; j < n; j++) {
                            z[j] = z[j] + a[i][j] * x[i];
                        }
                    }
                }
            }
        } else {
    for (int i = 0; i < m; i++) {
        x[i] = 0;
        for (int j = 0; j < n; j++)
            x[i] = x[i] + a[i][j] * y[j];
        for (int j = 0; j < n; j++)
            z[j] = z[j] + a[i][j] * x[i];
    }
        }
    }
}

#include "main.h"
