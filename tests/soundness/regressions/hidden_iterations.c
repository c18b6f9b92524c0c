// s2s: --force --passes=chains
// stays
/* A loop that nothing names repeats another one too often to be compared: no defect, no change. */
float rows[2][256], more[256];

void repeat(void)
{
    int first = 0, second = 1;
    for (int times = 0; times < 40000000; times++)
        for (int i = 1; i < 256; i++)
            rows[first][i] = rows[second][i - 1] + more[i];
}
