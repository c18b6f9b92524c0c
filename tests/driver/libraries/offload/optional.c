void back(float *dw, float *db, const float *d, const float *x, int n, int m, int k) {
    for (int o = 0; o < n; o++)
        for (int b = 0; b < k; b++) {
            if (db != 0) db[o] += d[b * n + o];
            for (int i = 0; i < m; i++) dw[o * m + i] += d[b * n + o] * x[b * m + i];
        }
}
