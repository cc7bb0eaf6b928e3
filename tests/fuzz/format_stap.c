#define FORMAT stap
#include "tests/fuzz/format.h"
