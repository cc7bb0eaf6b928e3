#define FORMAT vsprof
#define SCRIPT script_vsprof
#include "tests/fuzz/format.h"
