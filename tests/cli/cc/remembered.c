#include "b.h"
static double a[400][400], b[400][400];
void turn(void)
{
  for (int j = 0; j < 400; j++)
    for (int i = 0; i < 400; i++)
      a[i][j] = a[i][j] + N * b[i][j];
}
int main(void) { turn(); return (int)a[3][7]; }
