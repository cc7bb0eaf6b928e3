#define FORMAT xdebug
#define SCRIPT script_xdebug
#include "tests/fuzz/format.h"
