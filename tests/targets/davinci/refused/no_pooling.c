// refused: 7: something is added to a maximum
void no_pooling(const float x[8][8], float y[8])
{
    for (int i = 0; i < 8; i++) {
        float m = -1e30f;
        for (int j = 0; j < 8; j++)
            m = (x[i][j] > m ? x[i][j] : m) + 1;
        y[i] = m;
    }
}
