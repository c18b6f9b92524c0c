// a return out of a loop
static int find(const int32_t *p, int n) { for (int i = 0; i < n; i++) {
    if (p[i] > 900) return i; } return -1; }
void k(const int32_t *restrict a, const int32_t *restrict w, int32_t *restrict b) {
    b[0] = find(a, 64); b[1] = find(w, 3); }
