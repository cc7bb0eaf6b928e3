#define FORMAT  stackprof
#define OPTIONS .weight = WEIGHT_BY_EVENT
#include "tests/fuzz/format.h"
