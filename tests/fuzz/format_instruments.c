#define FORMAT instruments
#define SCRIPT script_instruments
#include "tests/fuzz/format.h"
