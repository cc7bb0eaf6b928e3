#define FORMAT vtune
#define SCRIPT script_vtune
#include "tests/fuzz/format.h"
