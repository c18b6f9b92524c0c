float a[4096], b[4096];
void twice(void)
{
    for (int i = 0; i < 4096; i++)
        a[i] = b[i] * 2;
}
void recurrence(void)
{
    for (int i = 1; i < 4096; i++)
        a[i] = a[i - 1] * 2;
}
