#define FORMAT recursive
#define SCRIPT script_recursive
#include "tests/fuzz/format.h"
