#define FORMAT async_profiler
#include "tests/fuzz/format.h"
