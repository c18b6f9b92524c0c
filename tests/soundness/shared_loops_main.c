int main(void)
{
    for (int k = 0; k < (N + 2) * N * N; k++) {
        a[k / N / N][k / N % N][k % N] = (k * 37 % 101) / 64.0;
        b[k / N / N][k / N % N][k % N] = (k * 53 % 89) / 32.0;
    }
    for (int n = N; n > 0; n -= 11) {
        size[0] = n; size[1] = N + 2 - n > N ? N : N + 2 - n / 2; size[2] = n;
        if (size[1] > N) size[1] = N;
        for (int times = 0; times < 2; times++) {
#pragma omp parallel
            {
