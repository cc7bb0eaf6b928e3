#define FORMAT chrome
#define SCRIPT script_chrome
#include "tests/fuzz/format.h"
