/* Some sources name this header in addition to memoryweb.h. */
#include <memoryweb/memoryweb.h>
