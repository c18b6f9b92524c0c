/* Time steps over two tables of rows that members of globals lead to, which are scalars that are read. */
struct grid { int rows, cols; double **data; };
static struct grid m, a;

void smooth(void)
{

    {
        /* s2s: fused, skewed and tiled 16x8 */
        int s2s_often = m.rows >= 162 && m.cols >= 66
                        && 8.0 * m.rows + 8.0 * m.rows * m.cols + 8.0 * (double)((long)m.rows - 2)
                           + 8.0 * (double)((long)m.rows - 2) * (double)((long)m.cols - 2)
                           >= 786432.0;
        if (s2s_often) {
            /* rows of 'a.data' and 'm.data' do not overlap */
            const long s2s_a_data_3_step = a.data[(long)m.rows - 1] < a.data[0] ? -1 : 1,
                       s2s_a_data_3_first = s2s_a_data_3_step < 0 ? (long)m.rows - 1 : 0;
            const long s2s_m_data_3_step = m.data[(long)m.rows - 2] < m.data[1] ? -1 : 1,
                       s2s_m_data_3_first = s2s_m_data_3_step < 0 ? (long)m.rows - 2 : 1;
            for (long s2s_i = 1; s2s_often && s2s_i < m.rows; s2s_i++) {
                s2s_often =
                        (const char *)(a.data[s2s_a_data_3_first + s2s_a_data_3_step * (s2s_i - 1)]
                                       + m.cols)
                        <= (const char *)a.data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i];
            }
            for (long s2s_i = 1; s2s_often && s2s_i < ((long)m.rows - 2); s2s_i++) {
                s2s_often =
                        (const char *)(m.data[s2s_m_data_3_first + s2s_m_data_3_step * (s2s_i - 1)]
                                       + (long)m.cols - 1)
                        <= (const char *)(m.data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_i]
                                          + 1);
            }
            {
                long s2s_i = 0, s2s_j = 0;
                while (s2s_often && s2s_i < m.rows && s2s_j < ((long)m.rows - 2)) {
                    const int s2s_before =
                            (const char *)(a.data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i]
                                           + m.cols)
                            <= (const char *)(m.data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j]
                                              + 1);
                    s2s_often =
                            s2s_before
                            || (const char *)(m.data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j]
                                              + (long)m.cols - 1)
                               <= (const char *)a.data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i];
                    s2s_i += s2s_before;
                    s2s_j += !s2s_before;
                }
            }
        }
        if (s2s_often) {
            for (long s2s_t_tile = 0; s2s_t_tile <= 5 / 16; s2s_t_tile++) {
                for (long s2s_i_tile = 0; s2s_i_tile <= ((long)m.rows + 8) / 8; s2s_i_tile++) {
                    long s2s_t_begin = 0;
                    long s2s_t_end = 5;
                    if (s2s_t_begin < 4 * s2s_i_tile + ((long)m.rows + 1) / 2 - m.rows + 1)
                        s2s_t_begin = 4 * s2s_i_tile + ((long)m.rows + 1) / 2 - m.rows + 1;
                    if (s2s_t_end > 4 * s2s_i_tile + 3) s2s_t_end = 4 * s2s_i_tile + 3;
                    for (int t = (int)s2s_t_begin; t <= s2s_t_end; t++) {
                        long s2s_i_begin = 8 * s2s_i_tile + 1;
                        long s2s_i_end = 8 * s2s_i_tile + 8;
                        if (s2s_i_begin < 2L * t + 1) s2s_i_begin = 2L * t + 1;
                        if (s2s_i_end > m.rows + 2L * t - 1) s2s_i_end = m.rows + 2L * t - 1;
                        for (long s2s_i = s2s_i_begin; s2s_i <= s2s_i_end; s2s_i++) {
                            if (m.rows + 2L * t >= s2s_i + 2) {
                                const int i = (int)(s2s_i - 2L * t);
                                for (int j = 1; j < m.cols - 1; j++) {
                                    m.data[i][j] = (a.data[i - 1][j] + a.data[i + 1][j]
                                                    + a.data[i][j - 1] + a.data[i][j + 1]) / 4;
                                }
                            }
                            if (s2s_i >= 2L * t + 2) {
                                const int i = (int)(s2s_i - 2L * t - 1);
                                for (int j = 1; j < m.cols - 1; j++) {
                                    a.data[i][j] = m.data[i][j];
                                }
                            }
                        }
                    }
                }
            }
        } else {
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < m.rows - 1; i++)
            for (int j = 1; j < m.cols - 1; j++)
                m.data[i][j] = (a.data[i - 1][j] + a.data[i + 1][j] + a.data[i][j - 1] + a.data[i][j + 1]) / 4;
        for (int i = 1; i < m.rows - 1; i++)
            for (int j = 1; j < m.cols - 1; j++)
                a.data[i][j] = m.data[i][j];
    }
        }
    }
}
