void f(int n, int k, double *restrict v, const double *restrict w, const int *restrict next,
       const int *restrict first) {
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n; i++) {
            BODY
        }
}
