#define COUNT 2
static const int table[COUNT] = {3, 4};
typedef struct { int16_t *p; } Where;
static inline int half(int x);
static inline int half(int x) { return x / 2; }
static int twice(int x) { return half(x) * 4; }
void other() { unknown::thing(); }
void k(int16_t *a, int16_t *b) { Where w; w.p = b; *w.p = (int16_t)twice(table[1] + *a); }

