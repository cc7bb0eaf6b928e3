#define FORMAT ibmjava
#include "tests/fuzz/format.h"
