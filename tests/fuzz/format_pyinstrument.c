#define FORMAT pyinstrument
#include "tests/fuzz/format.h"
