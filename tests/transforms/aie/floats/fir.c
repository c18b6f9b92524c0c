/* The sum goes backward through the image. */
void fir(const float x[143], const float h[16], float y[128])
{
    for (int n = 0; n < 128; n++) {
        float s = 0;
        for (int k = 0; k < 16; k++)
            s += h[k] * x[n + 15 - k];
        y[n] = s;
    }
}
