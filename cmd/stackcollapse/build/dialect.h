/* The dialects in which perf's text is read and folded: the differences are named here and in
 * foldname.h, and the man page's section DIFFERENCES lists them with examples. */
#ifndef STACKCOLLAPSE_DIALECT_H
#define STACKCOLLAPSE_DIALECT_H

#include "cmd/stackcollapse/collapse.h"
#include "common/stack/perftext.h"

struct dialect {
    const struct foldname_dialect *names;
    enum tidy tidy;     /* unless --tidy says otherwise */
    enum weight weight; /* unless --weight says otherwise */
    /* Lines, headers and where samples end. */
    const struct perf_rules *rules, *rules_srcline; /* the second with --srcline */
    bool raw_inlined;      /* --inline shows the names of all calls unchanged */
    bool lenient_filter;   /* a sample without an event passes any --event-filter */
    bool silent_strays;    /* frames outside of samples are not reported */
    bool reports_oddities; /* broken stacks, and a last line that was perhaps cut */
};

/* The rules of stackcollapse under its own name, and those of stackcollapse-perf.pl. */
extern const struct dialect dialect_native, dialect_perl;

#endif
