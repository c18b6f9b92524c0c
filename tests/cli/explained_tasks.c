void tasks(int n, double a[n]) {
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout: a[i])
        a[i] += 1.0;
    }
}

