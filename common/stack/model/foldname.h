/* Makes the names in a folded stack from the frames of a sample. */
#ifndef STACK_FOLDNAME_H
#define STACK_FOLDNAME_H

#include "common/base/text.h"
#include "common/stack/model/frame.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

enum tidy {
    TIDY_PERL,     /* cut at the first parenthesis */
    TIDY_BRACKETS, /* argument lists go, brackets that belong to a name stay */
    TIDY_NONE,
};

/* The rules in which our names differ from those of stackcollapse-perf.pl. */
struct foldname_dialect {
    bool (*is_kernel)(struct span dso);
    bool (*is_jit)(struct span dso);
    /* Whether "->" in a symbol separates inlined Java methods; NULL: it always does. */
    bool (*is_java_inline)(struct span sym, struct span dso);
    bool skip_parenthesis; /* a symbol that begins with "(" is no frame */
    bool keep_quotes;      /* else " and ' are removed from names */
    bool keep_empty;       /* an empty symbol or DSO stays empty; else it is unknown */
    bool tidy_unknown;     /* the text for an unknown symbol is tidied as symbols are */
    bool java_by_comm; /* the L of a Java class descriptor is cut if the command is java*; else if
                          the symbol is a descriptor */
    bool zero_tid_is_missing; /* "0/0" reads as a lone thread number */
    bool marks_inlined;       /* `kernel` marks inlined calls, too: "_[i]" */
    bool raw_semicolons;      /* in command names and source lines: they make two frames of one */
};

extern const struct foldname_dialect foldname_native;

struct foldname_options {
    const struct foldname_dialect *dialect;
    enum tidy tidy;
    bool pid, tid;      /* append process and thread numbers to the command name */
    bool kernel, jit;   /* annotate such frames "_[k]", "_[j]" */
    bool addrs;         /* the address where there is no symbol */
    bool srcline;       /* the source lines of the input */
    size_t comm_digits; /* replace runs of this many digits and more in command names; 0: none */
};

/* Starts as {.options, .profile}, both borrowed. */
struct foldname {
    const struct foldname_options *options;
    struct profile *profile; /* which numbers the names */
    /* Adds the frame and the calls inlined in it, by the functions at the end of this header.
     * False, with nothing added, where it knows nothing of the frame. NULL: no calls are looked up.
     */
    bool (*add_inlined)(struct foldname *n, const struct frame *f, bool java);
    void *ctx;     /* its own */
    uint32_t *ids; /* of the frame asked for last, root first */
    size_t count, cap;
    struct text text; /* buffer for a name */
};

/* Fill n->ids with the names of a frame: usually one, none if the dialect skips the frame, several
 * if calls were inlined. `java`: cut the L of a class descriptor, with java_by_comm. */
void foldname_frame(struct foldname *n, const struct frame *f, bool java);

/* Fill n->ids with the name of a sample's command, as the options want it. */
void foldname_comm(struct foldname *n, const struct perf_header *h);

void foldname_free(struct foldname *n);

/* Take the first part before a "->" off *sym. Return false where only empty parts are left. */
bool foldname_split_arrow(struct span *sym, struct span *part);

/* For add_inlined: a name is composed in n->text, from nothing. */

/* Append the symbol, tidied; f is the frame that it is in. */
void foldname_write_symbol(struct foldname *n, struct span sym, const struct frame *f, bool java);

/* Append what marks a kernel or JIT-compiled function, or an inlined call. */
void foldname_annotate(struct foldname *n, const struct frame *f);

/* Append what marks an inlined call, if that is wanted. */
void foldname_annotate_inlined(struct foldname *n);

/* Replace a character in the name from the offset `at` on. */
void foldname_replace(struct foldname *n, size_t at, char from, char to);

/* Add the composed text to n->ids and empty it. A semicolon that is still in it parts it in two, as
 * it would for a reader of the output. */
void foldname_push(struct foldname *n);

#endif
