#define FORMAT chrome
#include "tests/fuzz/format.h"
