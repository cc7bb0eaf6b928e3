#include "common/base/hash.h"

#include <sys/auxv.h>

uint64_t
hash_seed(void)
{
    uint64_t seed = 0x243f6a8885a308d3; /* digits of pi, if the kernel gives no bytes */
    const char *random = (const char *)getauxval(AT_RANDOM); /* 16 bytes */
    if (random != NULL)
        memcpy(&seed, random, sizeof seed);
    return seed;
}
