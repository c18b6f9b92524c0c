#include <cilk.h>
int main(void) {
  cilk_for (int i = 0; i < 3; i--) ; // here
  return 0;
}
