/* Makes the names in a folded stack from a sample's frames. */
#ifndef STACK_FOLDNAME_H
#define STACK_FOLDNAME_H

#include "common/base/text.h"
#include "common/stack/model/frame.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

enum tidy {
    TIDY_PERL,     /* cut at the first parenthesis */
    TIDY_BRACKETS, /* remove argument lists, but keep brackets that are part of a name */
    TIDY_NONE,
};

/* Rules in which our names differ from those of stackcollapse-perf.pl. */
struct foldname_dialect {
    bool (*is_kernel)(struct span dso);
    bool (*is_jit)(struct span dso);
    /* Return true if "->" in a symbol separates inlined Java methods. NULL: it always does. */
    bool (*is_java_inline)(struct span sym, struct span dso);
    bool skip_parenthesis; /* ignore frames whose symbol begins with "(" */
    bool keep_quotes;      /* else remove " and ' from names */
    bool keep_empty;       /* keep an empty symbol or DSO; else it is unknown */
    bool tidy_unknown;     /* tidy the text for an unknown symbol like a symbol */
    /* Cut the L of a Java class descriptor if the command begins with "java"; if false, cut it if
     * the symbol looks like a descriptor. */
    bool java_from_command;
    bool zero_tid_is_missing; /* parse "0/0" as a lone thread number */
    bool marks_inlined;       /* `kernel` also marks inlined calls: "_[i]" */
    /* Keep semicolons in command names and source lines; they then split a frame in two. */
    bool raw_semicolons;
};

extern const struct foldname_dialect foldname_native;

struct foldname_options {
    const struct foldname_dialect *dialect;
    enum tidy tidy;
    bool pid, tid;    /* append pid and tid to the command name */
    bool kernel, jit; /* mark such frames: "_[k]", "_[j]" */
    bool addrs;       /* use the address if there is no symbol */
    bool srcline;     /* append the source lines of the input */
    /* Replace numbers with at least this many digits in command names; 0: none. */
    size_t comm_digits;
};

/* Initialize as {.options, .profile}; both are borrowed. */
struct foldname {
    const struct foldname_options *options;
    struct profile *profile; /* gives names their numbers */
    /* Add the frame and the calls inlined in it, with the functions at the end of this header.
     * Return false, and add nothing, if the frame is unknown. NULL: inlined calls are not looked
     * up. */
    bool (*add_inlined)(struct foldname *n, const struct frame *f, bool java);
    void *ctx;     /* for add_inlined */
    uint32_t *ids; /* of the last frame, root first */
    size_t count, cap;
    struct text text; /* buffer for a name */
};

/* Fill n->ids with the names of a frame: usually one; none if the dialect ignores the frame;
 * several if calls were inlined. `java`: with java_from_command, cut the L of a class
 * descriptor. */
void foldname_frame(struct foldname *n, const struct frame *f, bool java);

/* Fill n->ids with the name of a sample's command, by the options. */
void foldname_comm(struct foldname *n, const struct perf_header *h);

void foldname_free(struct foldname *n);

/* Remove the first part before a "->" from *sym. Return false if only empty parts are left. */
bool foldname_split_arrow(struct span *sym, struct span *part);

/* For add_inlined: functions that compose a name in n->text, which is empty at first. */

/* Append the symbol, tidied. f is its frame. */
void foldname_write_symbol(struct foldname *n, struct span sym, const struct frame *f, bool java);

/* Append the mark of a kernel or JIT-compiled function, or of an inlined call, by the options. */
void foldname_annotate(struct foldname *n, const struct frame *f);

/* Append the mark of an inlined call, if the options request it. */
void foldname_annotate_inlined(struct foldname *n);

/* Replace a character in the name, from offset `at` on. */
void foldname_replace(struct foldname *n, size_t at, char from, char to);

/* Add the composed text to n->ids and empty it. A semicolon left in it splits it in two, as it
 * would for a reader of the output. */
void foldname_push(struct foldname *n);

#endif
