#include <stdio.h>
int main(void)
{
  int value;
  value = 1;
  int unused;
  printf("%d %s %s %d\n", value, __FILE__, __BASE_FILE__, __LINE__);
  return 0;
}
