#define FORMAT vtune_mc
#include "tests/fuzz/format.h"
