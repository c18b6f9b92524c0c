// s2s: --passes=jam --parallel
// text: * s2s_threads
/* Rows by a vector: threads start where each has enough to do, not for a few rows of 64. */

void apply(int rows, float (*restrict m)[64], const float *restrict v, float *restrict out)
{
    for (int i = 0; i < rows; i++) // remark: parallel outside
        for (int j = 0; j < 64; j++)
            out[i] += m[i][j] * v[j];
}

void apply_few(float (*restrict m)[64], const float *restrict v, float *restrict out)
{
    for (int i = 0; i < 48; i++) // remark: unrolled and jammed
        for (int j = 0; j < 64; j++)
            out[i] += m[i][j] * v[j];
}
