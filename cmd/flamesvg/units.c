#include "cmd/flamesvg/units.h"

#include "common/base/num.h"

#define US "\xc2\xb5s" /* with the micro sign in UTF-8 */

/* Each unit is a thousand of the one before. An empty name ends the list. */
static const struct span times[] = {SPAN("ns"), SPAN(US), SPAN("ms"), SPAN("s"), SPAN("")},
                         sizes[] = {SPAN("bytes"), SPAN("kB"), SPAN("MB"), SPAN("GB"),
                                    SPAN("TB"),    SPAN("PB"), SPAN("")};

static const struct count_unit {
    struct span countname;
    double size; /* in units of names[0] */
    const struct span *names;
    struct span all_names;
} units[] = {
    {SPAN("ns"), 1, times, SPAN("ns " US " ms s")},
    {SPAN("us"), 1e3, times, SPAN("ns " US " ms s")},
    {SPAN("ms"), 1e6, times, SPAN("ns " US " ms s")},
    {SPAN("bytes"), 1, sizes, SPAN("bytes kB MB GB TB PB")},
};

const struct count_unit *
units_find(struct span countname)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_eq(countname, units[i].countname))
            return &units[i];
    return NULL;
}

struct span
units_text(char text[static NUMBER_TEXT], const struct count_unit *unit, double value,
           struct span *name)
{
    /* From these values on, rounding would give 1000 of a unit, 100.0 or 10.00: a digit too
     * many. */
    const double next_unit = 999.5, whole = 99.95, tenths = 9.995;
    double sign = value < 0 ? -1 : 1, size = value * sign * unit->size;
    const struct span *names = unit->names;
    for (; size >= next_unit && names[1].len > 0; names++)
        size /= 1000;
    *name = names[0];
    if (size >= whole || (names == unit->names && num_is_whole(size)))
        return number_commas(text, size * sign);
    return number_fixed(text, size * sign, size >= tenths ? 1 : 2);
}

struct span
units_names(const struct count_unit *unit)
{
    return unit->all_names;
}
