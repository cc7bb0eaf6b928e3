#define FORMAT sentry
#include "tests/fuzz/format.h"
