#define FORMAT d3
#include "tests/fuzz/format.h"
