#define FORMAT simpleperf
#include "tests/fuzz/format.h"
