/* The formats that stacks are exported in. A row is the format's name, which is also the name of
 * its struct format: format_tsv in tsv.c. */
#ifndef STACKEXPORT_FORMATS_H
#define STACKEXPORT_FORMATS_H

#include "cmd/stackexport/export.h"

/* clang-format off */
#define FORMATS(ROW)                                                                               \
    ROW(pprof)                                                                                     \
    ROW(firefox)                                                                                   \
    ROW(speedscope)                                                                                \
    ROW(cpuprofile)                                                                                \
    ROW(tsv)
/* clang-format on */

#define FORMAT_EXTERN(name) extern const struct format format_##name;
FORMATS(FORMAT_EXTERN)

/* The names as the values of an option, "|pprof|firefox"; FORMAT_NAMES + 1 is without the first
 * bar. */
#define FORMAT_CHOICE(name) "|" #name
#define FORMAT_NAMES        FORMATS(FORMAT_CHOICE)

/* By the place of the name in FORMAT_NAMES. */
#define FORMAT_POINTER(name) &format_##name,

#endif
