/* The two dialects: stackcollapse's own rules, and those of stackcollapse-perf.pl, whose output is
 * the same to the byte. All differences are named here; the man page's section DIFFERENCES lists
 * them with examples. */
#ifndef STACKCOLLAPSE_DIALECT_H
#define STACKCOLLAPSE_DIALECT_H

#include "cmd/stackcollapse/collapse.h"
#include "common/stack/perftext.h"

struct dialect {
    enum tidy tidy;     /* unless --tidy says otherwise */
    enum weight weight; /* unless --weight says otherwise */
    /* Lines, headers and where samples end. */
    const struct perf_rules *rules, *rules_srcline; /* the second with --srcline */
    bool (*is_kernel)(struct span dso);
    bool (*is_jit)(struct span dso);
    /* Whether "->" in a symbol separates inlined Java methods. */
    bool (*is_java_inline)(struct span sym, struct span dso);
    bool skip_parenthesis; /* a symbol that begins with "(" is no frame */
    bool keep_quotes;      /* else " and ' are removed from names */
    bool keep_empty;       /* an empty symbol or DSO stays empty; else it is unknown */
    bool tidy_unknown;     /* the text for an unknown symbol is tidied as symbols are */
    bool java_by_comm; /* the L of a Java class descriptor is cut if the command is java*; else if
                          the symbol is a descriptor */
    bool zero_tid_is_missing; /* "0/0" reads as a lone thread number */
    bool raw_semicolons;      /* in command names and source lines: they make two frames of one */
    bool raw_inlined;         /* --inline shows addr2line's names unchanged, the outermost's too */
    bool lenient_filter;      /* a sample without an event passes any --event-filter */
    bool silent_strays;       /* frames outside of samples are not reported */
    bool reports_oddities;    /* broken stacks, and a last line that was perhaps cut */
};

extern const struct dialect dialect_native, dialect_perl;

#endif
