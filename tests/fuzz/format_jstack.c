#define FORMAT jstack
#include "tests/fuzz/format.h"
