#define FORMAT jstack
#define SCRIPT script_jstack
#include "tests/fuzz/format.h"
