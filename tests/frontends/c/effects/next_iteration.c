void f(int n, int *p) {
    int x = 0;
    for (int t = 0; t < n; t++) {
        p[t] = x;
        for (int i = 0; i < n; i++) { x = i; p[i] = x; }
    }
}

