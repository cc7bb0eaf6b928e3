#define FORMAT bcc
#include "tests/fuzz/format.h"
