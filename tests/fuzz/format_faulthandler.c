#define FORMAT faulthandler
#define SCRIPT script_faulthandler
#include "tests/fuzz/format.h"
