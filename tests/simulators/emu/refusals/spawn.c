#include <cilk.h>
int main(void) {
  int x = cilk_spawn 3; // here
  return x;
}
