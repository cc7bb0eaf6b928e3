#define FORMAT faulthandler
#include "tests/fuzz/format.h"
