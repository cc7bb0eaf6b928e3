#define FORMAT vsprof
#include "tests/fuzz/format.h"
