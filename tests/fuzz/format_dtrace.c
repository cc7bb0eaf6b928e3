#define FORMAT dtrace
#define SCRIPT script_dtrace
#include "tests/fuzz/format.h"
