#define FORMAT ibmjava
#define SCRIPT script_ibmjava
#include "tests/fuzz/format.h"
