#define FORMAT  heapprofile
#define OPTIONS .weight = WEIGHT_BY_EVENT
#include "tests/fuzz/format.h"
