#define FORMAT elfutils
#include "tests/fuzz/format.h"
