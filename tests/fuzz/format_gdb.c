#define FORMAT gdb
#include "tests/fuzz/format.h"
