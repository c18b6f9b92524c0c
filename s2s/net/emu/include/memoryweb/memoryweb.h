#include <memoryweb.h>
