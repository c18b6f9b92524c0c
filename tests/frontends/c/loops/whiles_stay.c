// s2s: --force -- -O2
// stays
/* What looks like a loop that counts, and is none, or whose counter is used after it. */
#define N 70

int used_after(int n, double c[N][N], double a[N][N])
{
    int i = 0;
    while (i < n) {
        for (int j = 0; j < n; j++)
            c[i][j] += a[j][i];
        i++;
    }
    return i;
}

void goes_on_without_a_step(int n, double c[N][N], double a[N][N])
{
    int i = 0;
    while (i < n) {
        int j = 0;
        while (j < n) {
            if (a[i][j] > 0) {
                a[i][j] = 0;
                continue;
            }
            c[j][i] += a[j][i];
            j++;
        }
        i++;
    }
}

void sets_its_counter(int n, double c[N][N], double a[N][N])
{
    int i = 0;
    while (i < n) {
        int j = 0;
        while (j < n) {
            c[j][i] += a[j][i];
            j = j + (a[i][j] > 0);
            j++;
        }
        i++;
    }
}

void not_set_before(int n, int i, double c[N][N], double a[N][N])
{
    while (i < n) {
        int j = i;
        c[0][0] += 1;
        while (j < n) {
            c[j][i] += a[j][i];
            j *= 2;
        }
        i++;
    }
}
