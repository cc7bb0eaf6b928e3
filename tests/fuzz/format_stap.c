#define FORMAT stap
#define SCRIPT script_stap
#include "tests/fuzz/format.h"
