float a[1000], b[1000];
static float half(float x)
{
    return x / 2;
}
void twice(void)
{
    for (int i = 0; i < 1000; i++)
        a[i] = b[i] * 2;
}
void halves(void)
{
    for (int i = 0; i < 1000; i++)
        a[i] = half(b[i]);
}
void recurrence(void)
{
    for (int i = 1; i < 1000; i++)
        a[i] = a[i - 1] * 0.5f + b[i];
}
