#pragma omp parallel
#pragma omp single
        for (int i = 0; i < n; i++) {
#pragma omp task depend(in: b[0])
            a[0] = a[0] * 3 + i;
#pragma omp task depend(inout: b[0])
            {
                if (i > 90)
                    b[i] = 1;
            }
        }

