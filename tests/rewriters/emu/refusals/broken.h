int main(void)
{
#include "loop.h"
;
}
