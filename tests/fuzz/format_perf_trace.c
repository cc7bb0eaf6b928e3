#define FORMAT  perf_trace
#define OPTIONS .weight = WEIGHT_PERIOD
#include "tests/fuzz/format.h"
