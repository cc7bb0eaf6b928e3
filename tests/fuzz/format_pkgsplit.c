#define FORMAT pkgsplit
#define SCRIPT script_pkgsplit
#include "tests/fuzz/format.h"
