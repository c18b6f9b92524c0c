static int search(const double *table, int count, double key)
{
    int k;
    for (k = 0; k < count; k++)
        if (table[k] >= key) return k;
    return count - 1;
}
