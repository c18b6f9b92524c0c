#include <cilk.h>
int main(void) {
  int i;
  cilk_for (i = 0; i < 3; i++) ; // here
  return 0;
}
