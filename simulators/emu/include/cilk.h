/* The name of the header in tool chains up to 18.x. */
#include <cilk/cilk.h>
