#define FORMAT ghcprof
#include "tests/fuzz/format.h"
