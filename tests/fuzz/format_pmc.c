#define FORMAT pmc
#include "tests/fuzz/format.h"
