void widen(const uint16_t *from, float *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = s2s_from_float16(from[i]);
}
void narrow(const float *from, uint16_t *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = s2s_to_float16(from[i]);
}
void twice(const double *from, uint16_t *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = s2s_to_float16(s2s_odd_float(from[i]));
}
void brain(const float *from, uint16_t *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = s2s_to_bfloat16(from[i]);
}
