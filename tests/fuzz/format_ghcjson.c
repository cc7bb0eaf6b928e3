#define FORMAT  ghcjson
#define OPTIONS .weight = WEIGHT_BY_EVENT
#include "tests/fuzz/format.h"
