float total(const float *values, long count, long other)
{
    float sum = 0;
    AROUND
        for (int i = 0; i < count; i++)
            sum += values[i];
    return sum;
}
