static double f(int n)
{
    for (int i = 0, k = 1; i < n - 1; i++) {
        if (u[k] <= best) goto next;
        best = u[k];
        place = i;
    next:
        k++;
    }
}
