#define FORMAT elfutils
#define SCRIPT script_elfutils
#include "tests/fuzz/format.h"
