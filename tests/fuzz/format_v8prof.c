#define FORMAT v8prof
#include "tests/fuzz/format.h"
