#define FORMAT vtune
#include "tests/fuzz/format.h"
