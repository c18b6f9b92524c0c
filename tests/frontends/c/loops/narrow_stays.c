// s2s: --force -- -O2
// stays
/* Counters narrower than int that never reach their limits, or go on after it. */

void never_ends(double c[300][300], double a[300][300])
{
    for (unsigned char i = 0; i < 300; i++) // missed: wraps
        for (int j = 0; j < 300; j++)
            c[i][j] += a[j][i];
}

void starts_elsewhere(int n, double c[300][300], double a[300][300])
{
    for (signed char i = 200; i < 100; i++) // missed: wraps
        for (int j = 0; j < n; j++)
            c[i + 128][j] += a[j][i + 128];
}

void counts_no_further_than_one(_Bool n, double c[300][300], double a[300][300])
{
    for (_Bool i = 0; i < n; i++) // note: is not a local integer loop variable
        for (int j = 0; j < 300; j++)
            c[i][j] += a[j][i];
}

void step_past_the_end(double c[130][130], double a[130][130])
{
    for (signed char i = 0; i < 126; i += 5) // missed: wraps
        for (int j = 0; j < 130; j++)
            c[i][j] += a[j][i];
}
