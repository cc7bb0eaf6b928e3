#define FORMAT java_exceptions
#include "tests/fuzz/format.h"
