#define FORMAT go
#include "tests/fuzz/format.h"
