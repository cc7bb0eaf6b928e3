#include "cmd/stackexport/export.h"

bool
export_time_places(enum unit unit, int *places)
{
    switch (unit) {
    case UNIT_NANOSECONDS:
        *places = -3;
        return true;
    case UNIT_MICROSECONDS:
        *places = 0;
        return true;
    case UNIT_MILLISECONDS:
        *places = 3;
        return true;
    case UNIT_SECONDS:
        *places = 6;
        return true;
    default:
        return false;
    }
}

uint64_t
export_whole(struct decimal *carry, struct decimal count)
{
    struct decimal sum = decimal_add(*carry, count);
    *carry = (struct decimal){0, sum.fraction};
    return sum.whole;
}
