int main(void)
{
    static row a[SIZE], b[SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 37 + j * 11) % 64 / 64.0;
            b[i][j] = (i * 13 + j * 29) % 64 / 32.0;
        }
