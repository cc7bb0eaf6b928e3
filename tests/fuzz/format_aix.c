#define FORMAT aix
#include "tests/fuzz/format.h"
