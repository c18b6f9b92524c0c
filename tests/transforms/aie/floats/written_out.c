/* Weights of the caller's, written out: the first product begins the sum. */
void written_out(const float a[66], const float w[3], float b[64])
{
    for (int i = 0; i < 64; i++)
        b[i] = w[1] * a[i + 1] + w[0] * a[i] + w[2] * a[i + 2];
}
