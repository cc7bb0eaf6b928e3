#define FORMAT pmc
#define SCRIPT script_pmc
#include "tests/fuzz/format.h"
