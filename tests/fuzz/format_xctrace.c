#define FORMAT xctrace
#include "tests/fuzz/format.h"
