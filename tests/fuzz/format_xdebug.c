#define FORMAT xdebug
#include "tests/fuzz/format.h"
