#include "cce_host.h"
#include <vector>
int main(){}
