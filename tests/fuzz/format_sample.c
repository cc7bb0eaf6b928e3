#define FORMAT sample
#define SCRIPT script_sample
#include "tests/fuzz/format.h"
