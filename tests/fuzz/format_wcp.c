#define FORMAT wcp
#include "tests/fuzz/format.h"
