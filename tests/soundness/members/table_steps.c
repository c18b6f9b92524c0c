// s2s: --passes=popp -- -O2
// text: rows of 'a.data' and 'm.data' do not overlap
/* Time steps over two tables of rows that members of globals lead to, which are scalars that are read. */
struct grid { int rows, cols; double **data; };
static struct grid m, a;

void smooth(void)
{
    // remark: fused, skewed and tiled 16x8
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < m.rows - 1; i++)
            for (int j = 1; j < m.cols - 1; j++)
                m.data[i][j] = (a.data[i - 1][j] + a.data[i + 1][j] + a.data[i][j - 1] + a.data[i][j + 1]) / 4;
        for (int i = 1; i < m.rows - 1; i++)
            for (int j = 1; j < m.cols - 1; j++)
                a.data[i][j] = m.data[i][j];
    }
}
