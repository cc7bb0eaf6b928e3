#define FORMAT gdb
#define SCRIPT script_gdb
#include "tests/fuzz/format.h"
