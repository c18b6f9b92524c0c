static const struct { const char *name; void (*call)(int, int, int, T *, T *, T *); } all[] = {
TABLE
};
static T memory[3 * MOST];
int main(void)
{
    static const int sizes[][2] = {{0, 0}, {1, 3}, {2, 2}, {3, 5}, {17, 18}, {18, 17}, {18, 18},
                                   {19, 23}, {26, 20}};
    static const int places[][3] = {{0, MOST, 2 * MOST}, {0, 0, MOST}, {0, 19, MOST},
                                    {700, 300, 0}};
    for (unsigned f = 0; f < sizeof all / sizeof *all; f++)
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned p = 0; p < PLACES; p++)
    for (int steps = 0; steps < 10; steps++) {
        unsigned long long h = 14695981039346656037ULL, word;
        unsigned seed = 7 * s + p;
        for (int k = 0; k < 3 * MOST; k++) {
            seed = seed * 1103515245u + 12345u;
            memory[k] = (T)((int)(seed >> 16 & 1023) - 512) / (T)8;
        }
        all[f].call(sizes[s][0], sizes[s][1], steps,
                    memory + places[p][0], memory + places[p][1], memory + places[p][2]);
        for (unsigned k = 0; k < sizeof memory; k += sizeof word) {
            memcpy(&word, (char *)memory + k, sizeof word);
            h = (h ^ word) * 1099511628211ULL;
        }
        printf("%s\t%d %d %d %u %llx\n", all[f].name, sizes[s][0], sizes[s][1], steps, p, h);
    }
    return 0;
}
