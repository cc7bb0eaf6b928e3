#define FORMAT vtune_mc
#define SCRIPT script_vtune_mc
#include "tests/fuzz/format.h"
