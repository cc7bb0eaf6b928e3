#define FORMAT instruments
#include "tests/fuzz/format.h"
