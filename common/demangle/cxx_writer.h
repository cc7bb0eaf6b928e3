/* The output of printing a C++ name, its limits, and the meaning of template parameters. For
 * cxx_print.c. */
#ifndef DEMANGLE_CXX_WRITER_H
#define DEMANGLE_CXX_WRITER_H

#include "common/demangle/cxx_tree.h"

struct pending;

/* The template whose arguments are meant by T_, T0_ and so on: a NODE_TEMPLATE, or the NODE_HEAD of
 * a lambda. Template parameters in these arguments are those of the outer scope. */
struct scope {
    const struct scope *outer;
    const struct node *template;
};

/* After a failure, ignore all output. */
struct printer {
    char *at, *end; /* space for the output */
    char last;      /* last byte printed; not reset when a comma is removed */
    bool failed;
    struct arena *arena;
    const struct scope *scope;
    const struct node *template_around; /* template whose name is being printed, or NULL */
    long pack_index;                    /* element of packs that T_ means; -1: all */
    uint32_t lambda_params;  /* in a lambda's parameters: 1 + number of names in its head */
    struct pending *pending; /* types around the one being printed: see cxx_print.c */
    unsigned depth, visited; /* number of nodes */
};

/* Append text, or fail if it exceeds the limit. */
static inline void
cxx_put(struct printer *pr, struct span text)
{
    if (text.len > (size_t)(pr->end - pr->at)) {
        pr->failed = true;
    } else if (text.len > 0) {
        memcpy(pr->at, text.ptr, text.len);
        pr->at += text.len;
        pr->last = pr->at[-1];
    }
}

static inline void
cxx_put_char(struct printer *pr, char c)
{
    if (pr->at == pr->end)
        pr->failed = true;
    else
        pr->last = *pr->at++ = c;
}

void cxx_put_number(struct printer *pr, uint64_t number);

/* Call before printing a node's contents; afterwards, decrement pr->depth. Return false, and fail,
 * if a limit is reached. */
bool cxx_visit(struct printer *pr);

/* Return a new scope inside the current one. */
const struct scope *cxx_new_scope(struct printer *pr, const struct node *template);

/* Return the argument that T_ means; NULL, and fail, if there is none. */
struct node *cxx_argument(struct printer *pr, const struct node *param);

/* Return the first pack that a T_ in the pattern means; NULL if there is none. */
struct node *cxx_find_pack(struct printer *pr, struct node *pattern);

/* Return the number of elements in a pack; 0 for NULL. */
uint32_t cxx_length(const struct node *pack);

/* Return the number of template arguments in the list, with packs expanded. */
uint32_t cxx_argument_count(struct printer *pr, const struct node *list);

#endif
