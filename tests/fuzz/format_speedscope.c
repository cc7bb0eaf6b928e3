#define FORMAT speedscope
#include "tests/fuzz/format.h"
