#include <stdio.h>
static short out1[24][48], in[26][56], taps[3][3];
static int out4[32], out5[24];
static short out6[12][27];
static int out2[24][48], out3[24], a[24][56], b[56][48];
int main(void) {
  for (int i = 0; i < 26 * 56; i++) (&in[0][0])[i] = (short)(i * 7919 % 1999 - 999);
  for (int i = 0; i < 9; i++) (&taps[0][0])[i] = (short)(i * 31 - 99);
  for (int i = 0; i < 24 * 56; i++) (&a[0][0])[i] = i * 7919 % 1999 - 999;
  for (int i = 0; i < 56 * 48; i++) (&b[0][0])[i] = i * 104729 % 1999 - 999;
  filter(out1, (const short (*)[56])in, (const short (*)[3])taps);
  product(out2, (const int (*)[56])a, (const int (*)[48])b);
  vector(out3, (const int (*)[56])a, a[3]);
  flipped(out4, a[2], a[5]);
  downwards(out5, (const int (*)[56])a, a[9]);
  spread(out5, (const int (*)[56])a, a[7]);
  pool(out6, (const short (*)[56])in);
  for (int i = 0; i < 12 * 27; i++) printf("%d\n", (&out6[0][0])[i]);
  for (int i = 0; i < 24; i++) printf("%d %d\n", out4[i], out5[i]);
  for (int i = 0; i < 24 * 48; i++) printf("%d %d\n", (&out1[0][0])[i], (&out2[0][0])[i]);
  for (int i = 0; i < 24; i++) printf("%d\n", out3[i]);
  return 0;
}
