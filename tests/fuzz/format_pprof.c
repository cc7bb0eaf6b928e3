#define FORMAT pprof
#include "tests/fuzz/format.h"
