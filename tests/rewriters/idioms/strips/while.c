static double f(int n)
{
    int i = 0;
    while (i < n) {
        if (u[i] > best) { best = u[i]; place = i; }
        i++;
    }
}
