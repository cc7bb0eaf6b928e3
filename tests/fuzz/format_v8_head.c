#define FORMAT  v8_head
#define OPTIONS .weight = WEIGHT_BY_EVENT
#include "tests/fuzz/format.h"
