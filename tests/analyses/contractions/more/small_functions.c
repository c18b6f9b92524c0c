// small functions
static inline int product(int16_t a, int16_t b) { return a * b; }
static int at(int row, int column) { const int width = 24; return row * width + column; }
static int8_t saturated(int v) { if (v > 127) return 127; if (v < -128) return -128; return v; }
void f(int8_t *C, const int16_t *A, const int16_t B[5]) {
  for (int j = 0; j < 3; j++) for (int i = 0; i < 20; i++) {
    int acc = 0;
    for (int p = 0; p < 5; p++) acc += product(A[at(j, i + p)], B[p]);
    C[at(j, i)] = saturated(acc >> 9); } }
