#define FORMAT go
#define SCRIPT script_go
#include "tests/fuzz/format.h"
