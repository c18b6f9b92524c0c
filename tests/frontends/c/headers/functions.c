double unused(void) { return sqrt(2); }
double last(const number *all)
{
    for (int i = 0; i < LIMIT; i++)
        shared[i] = TWICE(first(all)) + fabs(all[i].im) + SCALE + TOO;
    return shared[0];
}
