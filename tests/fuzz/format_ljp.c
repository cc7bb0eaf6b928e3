#define FORMAT ljp
#include "tests/fuzz/format.h"
