#define FORMAT recursive
#include "tests/fuzz/format.h"
