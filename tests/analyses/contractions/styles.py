"""Convolutions and products in C, each in another style. ``f`` is the function."""

STYLES = {
    "a bias in the first iteration": """
void f(int16_t O[8][32], const int16_t I[10][48], const int16_t W[3][3], const int16_t B[8]) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      if (s == 0 && r == 0) acc = B[y];
      acc += I[y + s][x + r] * W[s][r];
    }
    O[y][x] = acc >> 8;
  }
}""",
    "a bias into the output itself": """
void f(int32_t *O, const int16_t *I, const int16_t *W, const int32_t *B) {
  for (int k = 0; k < 16; k++)
    for (int c = 0; c < 32; c++) { if (c < 1) O[k] = B[k]; O[k] += I[c] * W[c * 16 + k]; }
}""",
    "two branches": """
void f(int32_t C[16][16], const int16_t A[16][8], const int16_t B[8][16]) {
  for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) for (int k = 7; k >= 0; k--)
    if (k != 7) C[i][j] += A[i][k] * B[k][j]; else C[i][j] = A[i][k] * B[k][j];
}""",
    "first and last iteration": """
void f(int16_t O[64], const int16_t I[80], const int16_t W[8]) {
  int acc[64];
  for (int x = 0; x < 64; x++) for (int r = 0; r < 8; r++) {
    if (!r) acc[x] = 1 << 9;
    acc[x] += I[x + r] * W[r];
    if (r == 7) O[x] = acc[x] >> 10;
  }
}""",
    "the sum's loop outermost": """
void f(int16_t *O, const int16_t *I, const int16_t *W, const int16_t *B) {
  int32_t acc[16];
  for (int c = 0; c < 32; c++) for (int k = 0; k < 16; k++) {
    if (c == 0) acc[k] = B[k];
    acc[k] += I[c] * W[c * 16 + k];
    if (c == 31) O[k] = acc[k] >> 7;
  }
}""",
    "a choice": """
void f(int32_t O[64], const int16_t I[80], const int16_t W[8], const int32_t *b) {
  for (int x = 0; x < 64; x++) for (int r = 0; r < 8; r++)
    O[x] = (r == 0 ? b[0] : O[x]) + I[x + r] * W[r];
}""",
    "a rectifier": """
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void f(int16_t O[64], const int16_t I[80], const int16_t W[8], const int16_t *b) {
  for (int x = 0; x < 64; x++) {
    int acc = b[x];
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = MAX(acc >> 6, 0);
  }
}""",
    "rounded, rectified, saturated by a helper": """
static inline int16_t helper(int v) {
  if (v < 0) return 0;
  if (v > 32767) return 32767;
  return (int16_t)v;
}
void f(int16_t O[64], const int16_t I[80], const int16_t W[8], const int16_t *b) {
  for (int x = 0; x < 64; x++) {
    int acc = b[x];
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = helper((acc + (1 << 4)) >> 5);
  }
}""",
    "one limit, the type's own": """
void f(int8_t O[64], const int8_t I[80], const int8_t W[8]) {
  for (int x = 0; x < 64; x++) {
    int acc = 0;
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    acc >>= 5;
    if (acc < -128) acc = -128;
    O[x] = acc;
  }
}""",
    "limits below the type's": """
void f(int8_t O[64], const int8_t I[80], const int8_t W[8]) {
  for (int x = 0; x < 64; x++) {
    int acc = 0;
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    int v = acc >> 4;
    O[x] = v < -7 ? -7 : v > 96 ? 96 : v;
  }
}""",
    "quantized: a bias, rounded, by a transposed matrix": """
void f(int8_t C[16][32], const int8_t A[16][32], const int8_t B[32][32], const int32_t bias[32]) {
  for (int i = 0; i < 16; i++) for (int j = 0; j < 32; j++) {
    int32_t acc = bias[j];
    for (int k = 0; k < 32; k++) acc += A[i][k] * B[j][k];
    acc = (acc + 64) >> 7;
    if (acc > 127) acc = 127;
    if (acc < -128) acc = -128;
    C[i][j] = acc;
  }
}""",
    "macros for loops, elements and rounding": """
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define AT(p, y, x, w) (p)[(y) * (w) + (x)]
#define SRS(v, s) ((int16_t)(((v) + (1 << ((s) - 1))) >> (s)))
void f(const int16_t *restrict in, const int16_t *restrict w, int16_t *restrict out) {
  FOR(y, 8) FOR(x, 32) {
    int32_t acc = 0;
    FOR(s, 3) FOR(r, 3) acc += AT(in, y + s, x + r, 48) * AT(w, s, r, 3);
    AT(out, y, x, 32) = SRS(acc, 10);
  }
}""",
    "groups": """
void f(int16_t O[8][8][32], const int16_t I[8][10][48], const int16_t W[8][4][3][3]) {
  for (int g = 0; g < 2; g++) for (int k = 0; k < 4; k++)
    for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
      int acc = 0;
      for (int c = 0; c < 4; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
        acc += I[g * 4 + c][y + s][x + r] * W[g * 4 + k][c][s][r];
      O[g * 4 + k][y][x] = acc >> 10;
    }
}""",
    "a rectifier in front of the shift": """
void f(int16_t O[64], const int16_t I[80], const int16_t W[8]) {
  for (int x = 0; x < 64; x++) {
    int acc = 0;
    for (int r = 0; r < 8; r++) acc += I[x + r] * W[r];
    O[x] = acc > 0 ? acc >> 9 : 0;
  }
}""",
    "pointers that walk": """
void f(const int16_t *in, const int16_t *w, int16_t *out) {
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 32; x++) {
      const int16_t *p = in + y * 48 + x, *q = w;
      int acc = 0;
      for (int s = 0; s < 3; s++) {
        for (int r = 0; r < 3; r++) acc += *p++ * *q++;
        p += 48 - 3;
      }
      *out++ = acc >> 10;
    }
}""",
    "indices that walk": """
void f(const int16_t *in, const int16_t *w, int16_t *out) {
  int n = 0, k;
  const int16_t *row;
  for (int y = 0; y < 8; y++) {
    row = &in[y * 48];
    for (int x = 31; x >= 0; x--) {
      int acc = 0;
      k = 9;
      for (int s = 2; s >= 0; s--) for (int r = 2; r >= 0; r--)
        acc += row[s * 48 + r] * w[--k];
      ++row;
      out[n++] = acc >> 10;
    }
  }
}""",
    "tiles": """
void f(int16_t O[16][64], const int16_t *restrict I, const int16_t W[3][3]) {
  for (int yy = 0; yy < 16; yy += 4) for (int xx = 0; xx < 64; xx += 16)
    for (int y = yy; y < yy + 4; y++) for (int x = 0; x < 16; x++) {
      int acc = 0;
      for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
        acc += I[(y + s) * 80 + xx + x + r] * W[s][r];
      O[y][xx + x] = acc >> 10;
    }
}""",
    "an array of sums, zero at first": """
void f(int16_t C[4][16], const int16_t A[4][8], const int16_t B[8][16]) {
  for (int i = 0; i < 4; i++) {
    int32_t acc[16] = {0};
    for (int k = 0; k < 8; k++) for (int j = 0; j < 16; j++) acc[j] += A[i][k] * B[k][j];
    for (int j = 0; j < 16; j++) C[i][j] = (int16_t)(acc[j] >> 4);
  }
}""",
    "mixed widths": """
void f(int32_t O[24], const int32_t I[40], const int8_t W[9], const uint16_t *b) {
  for (int x = 0; x < 24; x++) {
    long sum = b[x];
    for (int r = 0; r < 9; r++) sum += (long)I[x + r] * W[r];
    O[x] = sum >> 3;
  }
}""",
}

BORDERS = {
    "zero padding by bounds checks": """
void f(int16_t O[9][20], const int16_t I[9][20], const int16_t W[3][3]) {
  for (int y = 0; y < 9; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      int iy = y + s - 1, ix = x + r - 1;
      if (iy >= 0 && iy < 9 && ix >= 0 && ix < 20) acc += I[iy][ix] * W[s][r];
    }
    O[y][x] = acc >> 6;
  }
}""",
    "zero padding by a choice, flat": """
void f(int16_t *O, const int16_t *I, const int16_t *W) {
  for (int y = 0; y < 7; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = -2; s <= 2; s++) for (int r = -2; r <= 2; r++) {
      int v = (y + s < 0 || y + s >= 7 || x + r < 0 || x + r >= 20) ? 0 : I[(y + s) * 20 + x + r];
      acc += v * W[(s + 2) * 5 + r + 2];
    }
    O[y * 20 + x] = acc >> 6;
  }
}""",
    "zero padding by continue, with strides and an unsigned bound": """
void f(int32_t O[5][8], const int16_t I[2][9][15], const int16_t W[2][3][3]) {
  for (int y = 0; y < 5; y++) for (int x = 0; x < 8; x++) {
    int acc = 0;
    for (int c = 0; c < 2; c++) for (int s = 0; s < 3; s++) {
      int iy = y * 2 + s - 1;
      if (iy < 0 || iy >= 9) continue;
      for (int r = 0; r < 3; r++)
        if ((unsigned)(x * 2 + r - 1) < 15u) acc += I[c][iy][x * 2 + r - 1] * W[c][s][r];
    }
    O[y][x] = acc;
  }
}""",
    "a filter that starts with what there is": """
void f(int16_t *y, const int16_t *x, const int16_t *h) {
  for (int i = 0; i < 50; i++) {
    int32_t sum = 0;
    for (int k = 0; k < 9; k++) if (i - k >= 0) sum += x[i - k] * h[k];
    y[i] = sum >> 8;
  }
}""",
    "zero points, and a border of the zero point": """
void f(int32_t *O, const uint8_t *I, const int8_t *W) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) {
      int iy = y + s - 1, ix = x + r - 1;
      int v = iy >= 0 && iy < 6 && ix >= 0 && ix < 20 ? I[iy * 20 + ix] : 7;
      acc += (v - 7) * (W[s * 3 + r] + 3);
    }
    O[y * 20 + x] = acc;
  }
}""",
    "an inner part of the output": """
void f(int16_t O[8][24], const int16_t I[8][24], const int16_t W[3][3]) {
  for (int y = 1; y < 7; y++) for (int x = 1; x < 23; x++) {
    int acc = 0;
    for (int s = -1; s <= 1; s++) for (int r = -1; r <= 1; r++)
      acc += I[y + s][x + r] * W[s + 1][r + 1];
    O[y][x] = acc >> 6;
  }
}""",
    "every other element of the output": """
void f(int32_t O[10][34], const int16_t I[8][20], const int16_t W[3][3]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 16; x++)
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      O[2 * y + 1][2 * x + 1] += I[y + s][x + r] * W[s][r];
}""",
    "rows that end where the program stops": """
void f(int16_t *O, const int16_t *I, const int16_t *w) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 5; r++)
      acc += I[(y + s) * 48 + x + r] * w[s * 5 + r];
    O[y * 24 + x] = acc >> 6;
  }
}""",
}

CALLS = {
    "a helper with a loop": """
static int helper(const int16_t *a, const int16_t *b, int n) {
  int s = 0;
  while (n--) s += *a++ * *b++;
  return s;
}
void f(int16_t O[8][32], const int16_t I[10][48], const int16_t W[3][3]) {
  int y = 0;
  while (y < 8) {
    int x = 0;
    while (x < 32) {
      int acc = 0, s;
      for (s = 0; s < 3; ++s) acc += helper(&I[y + s][x], W[s], 3);
      O[y][x] = acc >> 6;
      x++;
    }
    ++y;
  }
}""",
    "a helper that stores": """
static void helper(const int16_t *in, const int16_t *w, int32_t *acc, int n, int taps) {
  for (int x = 0; x < n; x++) for (int r = 0; r < taps; r++) acc[x] += in[x + r] * w[r];
}
void f(int32_t O[8][32], const int16_t I[10][48], const int16_t W[3][3]) {
  for (int y = 0; y < 8; y++) {
    for (int x = 0; x < 32; x++) O[y][x] = 0;
    for (int s = 0; s < 3; s++) helper(I[y + s], W[s], O[y], 32, 3);
  }
}""",
    "sums of rows": """
void f(int16_t *out, const int16_t *in, const int16_t *w) {
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 7;
    for (int s = 0; s < 3; s++) {
      int row = 0;
      for (int r = 0; r < 3; r++) row += in[(y + s) * 40 + x + r] * w[3 * s + r];
      acc += row;
    }
    out[y * 32 + x] = acc >> 9;
  }
}""",
    "groups by division": """
void f(int16_t O[8][4][20], const int16_t I[4][6][24], const int16_t W[8][2][3][3]) {
  for (int k = 0; k < 8; k++) for (int y = 0; y < 4; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int c = 0; c < 2; c++) for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      acc += I[(k / 4) * 2 + c][y + s][x + r] * W[k][c][s][r];
    O[k][y][x] = acc >> 10;
  }
}""",
    "all pixels and taps in one loop each": """
void f(int16_t *O, const int16_t *I, const int16_t *W) {
  for (int i = 0; i < 8 * 32; i++) {
    int y = i >> 5, x = i & 31, acc = 0;
    for (int t = 0; t < 9; t++) acc += I[(y + t / 3) * 40 + x + t % 3] * W[t];
    O[i] = acc >> 10;
  }
}""",
    "products taken off": """
void f(int32_t C[4][16], const int16_t A[4][8], const int16_t B[8][16]) {
  for (int i = 0; i < 4; i++) for (int j = 0; j < 16; j++)
    for (int k = 0; k < 8; k++) C[i][j] -= A[i][k] * B[k][j];
}""",
    "pointers to rows and to elements": """
void f(int16_t *out, const int16_t I[10][48], const int16_t *w) {
  const int16_t *p = &I[0][0];
  int16_t (*O)[32] = (int16_t (*)[32])out;
  const int16_t (*W)[3] = (const void *)w;
  for (int y = 0; y < 8; y++) for (int x = 0; x < 32; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++)
      acc += p[(y + s) * 48 + x + r] * W[s][r];
    O[y][x] = acc >> 10;
  }
}""",
    "one factor for all": """
void f(int16_t *O, const int16_t *I, const int16_t *w) {
  for (int i = 0; i < 64; i++) O[i] = (I[i] * w[0]) >> 8;
}""",
    "bounds of loops that keep to the image": """
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int32_t O[6][24], const int16_t I[6][24], const int16_t W[3][3]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 24; x++) {
    int acc = 1, s1 = MIN(3, 7 - y);
    for (int s = MAX(0, 1 - y); s < s1; s++)
      for (int r = MAX(0, 1 - x); r <= MIN(2, 24 - x); r++)
        acc += I[y + s - 1][x + r - 1] * W[s][r];
    O[y][x] = acc;
  }
}""",
    "counted down": """
void f(int16_t *O, const int16_t *I, const int16_t *w) {
  int i = 0, k;
  do {
    int acc = 0;
    k = 8;
    while (k-- > 0) acc += I[i + k] * w[k];
    O[i] = acc >> 5;
  } while (++i < 48);
}""",
}
CONSTANTS = {
    "a box filter": """
void f(uint8_t O[6][20], const uint8_t I[8][22]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 4;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) acc += I[y + s][x + r];
    O[y][x] = acc >> 3;
  }
}""",
    "numbers in the text": """
void f(int16_t O[6][20], const int16_t I[8][24]) {
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++)
    O[y][x] = I[y][x] + 2 * I[y + 1][x] + I[y + 2][x]
      - I[y][x + 2] - (I[y + 1][x + 2] << 1) - I[y + 2][x + 2];
}""",
    "a cross of flat elements": """
void f(int32_t *O, const int32_t *I) {
  for (int y = 1; y < 7; y++) for (int x = 1; x < 19; x++)
    O[y * 20 + x] = 4 * I[y * 20 + x] - I[(y - 1) * 20 + x] - I[(y + 1) * 20 + x]
      - I[y * 20 + x - 1] - I[y * 20 + x + 1];
}""",
    "means of squares": """
void f(int16_t O[4][16], const int16_t I[8][32]) {
  for (int y = 0; y < 4; y++) for (int x = 0; x < 16; x++)
    O[y][x] = (I[2 * y][2 * x] + I[2 * y][2 * x + 1] + I[2 * y + 1][2 * x]
      + I[2 * y + 1][2 * x + 1] + 2) >> 2;
}""",
    "a table of its own": """
void f(int16_t O[6][20], const int16_t I[8][24]) {
  static const int16_t K[3][3] = {{1, 2, 1}, {2, 4}, {1, -2, 1}};
  for (int y = 0; y < 6; y++) for (int x = 0; x < 20; x++) {
    int acc = 0;
    for (int s = 0; s < 3; s++) for (int r = 0; r < 3; r++) acc += I[y + s][x + r] * K[s][r];
    O[y][x] = acc >> 4;
  }
}""",
    "a sum over channels": """
void f(int32_t O[20], const int16_t I[9][20], const int16_t b[20]) {
  for (int x = 0; x < 20; x++) {
    O[x] = b[x];
    for (int c = 0; c < 9; c++) O[x] -= I[c][x];
  }
}""",
}
STYLES |= BORDERS | CALLS | CONSTANTS
