#define FORMAT pkgsplit
#include "tests/fuzz/format.h"
