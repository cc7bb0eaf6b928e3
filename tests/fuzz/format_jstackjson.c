#define FORMAT jstackjson
#include "tests/fuzz/format.h"
