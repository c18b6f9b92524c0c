void step(int n, double *u, double *v);
void run(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++)
        step(n, u, v);
}
