/* A program around sweep(), called with several sizes; CALL may be defined before. */
#ifndef CALL
#define CALL sweep(n, m, T, u_, v_);
#endif
int main(void)
{
    static const int sizes[][3] = {
        {19, 13, 50}, {5, 4, 40}, {3, 3, 33}, {2, 2, 20}, {1, 1, 20}, {24, 3, 3}
    };
    int s;
    for (s = 0; s < 6; s++) {
        int n = sizes[s][0], m = sizes[s][1], T = sizes[s][2];
        size_t count = 4 * (size_t)(n + 2) * (m + 2);
        double *u_ = numbers(count, 1), *v_ = numbers(count, 2);
        CALL
        show("u", u_, count * sizeof *u_);
        show("v", v_, count * sizeof *v_);
        free(u_);
        free(v_);
    }
    return 0;
}
