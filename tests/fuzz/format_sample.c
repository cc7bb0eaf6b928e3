#define FORMAT sample
#include "tests/fuzz/format.h"
