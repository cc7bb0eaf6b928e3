#define FORMAT wcp
#define SCRIPT script_wcp
#include "tests/fuzz/format.h"
