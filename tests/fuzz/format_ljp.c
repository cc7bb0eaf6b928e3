#define FORMAT ljp
#define SCRIPT script_ljp
#include "tests/fuzz/format.h"
