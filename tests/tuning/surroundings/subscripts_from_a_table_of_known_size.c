// subscripts from a table of known size
int weights[24][24];
void f(int n, const int *restrict code, int *restrict cost) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i * n + j] = weights[code[i]][code[j]];
}
