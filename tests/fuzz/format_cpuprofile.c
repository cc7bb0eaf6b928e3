#define FORMAT cpuprofile
#include "tests/fuzz/format.h"
