// refused: 6: which element of 'dx' it is depends on data
void scatter_by_numbers(const float dy[16][16], const int at[16][16], float dx[16][64])
{
    for (int c = 0; c < 16; c++)
        for (int i = 0; i < 16; i++)
            dx[c][at[c][i]] += dy[c][i];
}
