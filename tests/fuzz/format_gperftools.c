#include "tests/fuzz/nosubprocess.h"
#define FORMAT gperftools
#include "tests/fuzz/format.h"
