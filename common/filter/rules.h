/* The rules for frames and samples, from the command line. */
#ifndef FILTER_RULES_H
#define FILTER_RULES_H

#include "common/filter/rename.h"
#include "common/stack/frames/framekind.h"

/* Lists of patterns, by the effect of a match. */
enum list {
    LIST_DROP,    /* the frame is dropped */
    LIST_KEEP,    /* frames that do not match are dropped */
    LIST_FOCUS,   /* samples without such a frame are dropped */
    LIST_EXCLUDE, /* samples with one are dropped */
    LIST_ROOT,    /* the frame becomes the sample's root */
    LISTS
};

struct matcher {
    struct pattern re;
    bool dso; /* match the DSO, not the symbol */
};

struct renamer {
    struct rename rename;
    bool dso;
};

/* In the order of --v8-names=merge|tier|raw and --v8-work=keep|summarize|detail|hide. */
enum v8_names { V8_NAMES_MERGE, V8_NAMES_TIER, V8_NAMES_RAW };
enum v8_work { V8_WORK_KEEP, V8_WORK_SUMMARIZE, V8_WORK_DETAIL, V8_WORK_HIDE };

struct rules {
    struct matcher *lists[LISTS];
    size_t counts[LISTS], caps[LISTS];
    struct renamer *renames;
    size_t nrenames, renames_cap;
    unsigned hidden; /* kinds whose frames are dropped: 1u << kind */
    bool node;       /* drop [unknown] and __libc_start*, and advise where names are missing */
    enum v8_names names;
    enum v8_work work;
    bool collapse_recursion;
    size_t max_depth; /* 0: no limit */
    bool any_dso;     /* some pattern or substitution is for DSOs */
    struct arena arena;
};

/* Add a pattern, "RE" or "dso:RE", to a list. Return false if RE is invalid; `error`, PATTERN_ERROR
 * bytes, then says why. */
bool rules_add(struct rules *r, enum list list, const char *pattern, char *error);

/* Add a substitution, "s/RE/TEXT/" or "dso:s/RE/TEXT/". Fails as rules_add. */
bool rules_add_rename(struct rules *r, const char *expression, char *error);

/* Parse "app,dep,..." into a set of kinds. Fails as rules_add. */
bool rules_kinds(const char *list, unsigned *kinds, char *error);

/* Set how V8's names and work are shown, enum v8_names and enum v8_work; -1 means the default,
 * which depends on the preset for Node. */
void rules_finish(struct rules *r, int names, int work);

/* Return the set of lists with a matching pattern, 1u << list for each. A pattern for symbols may
 * match `sym` or `name`, the text that is written for this symbol. */
unsigned rules_match(const struct rules *r, struct span sym, struct span name, struct span dso);

#endif
