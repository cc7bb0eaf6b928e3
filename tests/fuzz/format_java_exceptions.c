#define FORMAT java_exceptions
#define SCRIPT script_java_exceptions
#include "tests/fuzz/format.h"
