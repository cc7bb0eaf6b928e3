/* The two dialects: the right way, and stackcollapse-perf.pl's to the byte. What differs is
 * named here and nowhere else; the man page's section DIFFERENCES lists it with examples. */
#ifndef STACKCOLLAPSE_DIALECT_H
#define STACKCOLLAPSE_DIALECT_H

#include "cmd/stackcollapse/collapse.h"
#include "common/stack/perftext.h"

struct dialect {
    enum tidy tidy;     /* unless --tidy says otherwise */
    bool count_samples; /* a sample counts 1, unless --weight says otherwise; else its period */
    /* Lines, headers and where samples end. */
    const struct perf_rules *rules, *rules_srcline; /* the second with --srcline */
    bool (*is_kernel)(struct span dso);
    bool (*is_jit)(struct span dso);
    /* Whether "->" in a symbol parts inlined Java methods. */
    bool (*is_java_inline)(struct span sym, struct span dso);
    bool skip_parenthesis; /* a symbol that begins with "(" is no frame */
    bool keep_quotes;      /* else " and ' go from names */
    bool keep_empty;       /* an empty symbol or DSO stands for itself; else it is unknown */
    bool tidy_unknown;     /* what stands for an unknown symbol is tidied as symbols are */
    bool java_by_comm; /* the class descriptor's L goes where the command is java*; else where the
                          symbol is a descriptor */
    bool zero_tid_is_missing; /* "0/0" reads as a lone thread number */
    bool raw_semicolons;      /* stay in command names and source lines, and part them in two */
    bool raw_inlined;         /* --inline shows addr2line's names unchanged, the outermost's too */
    bool lenient_filter;      /* a sample without an event passes any filter */
    bool silent_strays;       /* frames outside of samples are not reported */
    bool reports_oddities;    /* broken stacks, and a last line that was perhaps cut */
};

extern const struct dialect dialect_native, dialect_perl;

#endif
