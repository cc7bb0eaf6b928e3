#define FORMAT bpftrace
#include "tests/fuzz/format.h"
