int main(void)
{
    for (int k = 0; k < (N + 2) * (N + 2) * (N + 2); k++) {
        (&a[0][0][0])[k] = (k * 37 % 101) / 64.0;
        (&b[0][0][0])[k] = (k * 53 % 89) / 32.0;
    }
    for (int n = N; n > 0; n -= 6) {
        size[0] = n; size[1] = N - n / 2; size[2] = n > 3 ? n : N;
#pragma omp parallel
        {
