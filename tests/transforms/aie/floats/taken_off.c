/* Products are taken off a number. */
void taken_off(const float a[64][12], const float x[12], float y[64])
{
    for (int i = 0; i < 64; i++) {
        float s = 1.5f;
        for (int j = 0; j < 12; j++)
            s -= a[i][j] * x[j];
        y[i] = s;
    }
}
