#define FORMAT  perf_sched
#define SCRIPT  script_perf_sched
#define OPTIONS .wakers = WAKERS_ALL
#include "tests/fuzz/format.h"
