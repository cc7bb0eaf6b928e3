#define FORMAT dtrace
#include "tests/fuzz/format.h"
