/* The name of the header in tool chains up to 18.x. */
#include <memoryweb/timing.h>
