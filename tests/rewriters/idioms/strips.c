static double f(int n)
{
    T best = u[0];
    int place = 0;
    for (int i = 0; i < n; i++)
        if (u[i] > best) {
            best = u[i];
            place = i;
        }
    return place + (best == best ? best : 7.0);
}
