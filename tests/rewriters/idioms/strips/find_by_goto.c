static double f(int n)
{
    for (int i = 0; i < n; i++)
        if (u[i] == 5) {
            place = i;
            goto out;
        }
    place = -1;
out:
}
