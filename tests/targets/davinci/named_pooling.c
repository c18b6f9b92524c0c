void pooling(const unsigned char FULL[32][32], unsigned char SMALL[16][16])
{
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) {
            unsigned char most = 0;
            for (int v = 0; v < 2; v++)
                for (int u = 0; u < 2; u++)
                    most = FULL[2 * r + v][2 * c + u] > most ? FULL[2 * r + v][2 * c + u] : most;
            SMALL[r][c] = most;
        }
}
