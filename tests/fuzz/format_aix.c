#define FORMAT aix
#define SCRIPT script_aix
#include "tests/fuzz/format.h"
