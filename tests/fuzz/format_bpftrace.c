#define FORMAT bpftrace
#define SCRIPT script_bpftrace
#include "tests/fuzz/format.h"
