void layer(const signed char *IN, const signed char *W, int *OUT)
{
    for (int o = 0; o < 4; o++)
        for (int r = 0; r < 16; r++)
            for (int c = 0; c < 16; c++) {
                int sum = 0;
                for (int i = 0; i < 2; i++)
                    for (int u = 0; u < 3; u++)
                        for (int v = 0; v < 3; v++)
                            sum += IN[(i * 18 + r + u) * 18 + c + v] *
                                   W[((o * 2 + i) * 3 + u) * 3 + v];
                OUT[(o * 16 + r) * 16 + c] = sum;
            }
}
