#include <cilk.h>
