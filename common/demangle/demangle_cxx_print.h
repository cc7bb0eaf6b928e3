/* Prints the tree of a mangled C++ name as GNU c++filt 2.40 does. Private to demangle_cxx_*.c. */
#ifndef DEMANGLE_DEMANGLE_CXX_PRINT_H
#define DEMANGLE_DEMANGLE_CXX_PRINT_H

#include "common/demangle/demangle_cxx_tree.h"

/* A template whose arguments are those that T_, T0_, ... mean: a NODE_TEMPLATE, or the NODE_HEAD of
 * a lambda. The arguments themselves may mean those of the outer one. */
struct scope {
    const struct scope *outer;
    const struct node *template;
};

struct printer {
    char *at, *end; /* of the space for the output */
    char last;      /* the byte printed last; it stays when a comma is taken back */
    bool failed;
    struct arena *arena;
    const struct scope *scope;
    const struct node *template_around; /* the template whose name is being printed, or NULL */
    long pack_index;                    /* the element of packs that T_ means; -1: all of them */
    uint32_t lambda_params;  /* in a lambda's parameters: 1 + how many names its head declares */
    struct pending *pending; /* the types around the one that is being printed: see print_type.c */
    unsigned depth, visited; /* nodes */
};

/* Appends what the tree stands for to *out. False, and *out is unchanged, where a template
 * parameter means nothing, or a limit is reached. */
bool cxx_print(struct arena *a, struct node *tree, struct text *out);

/* For the printing of nodes: */
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
void cxx_print_node(struct printer *pr, struct node *n);

/* Before and after a node is printed. False, and the printer has failed, if a limit is reached. */
bool cxx_enter(struct printer *pr, struct node *n);
void cxx_leave(struct printer *pr, struct node *n);
/* The same for a look into a node that is not printed; then depth is to be decremented. */
bool cxx_visit(struct printer *pr);

/* template.c */
void cxx_print_list(struct printer *pr, struct node *list);
void cxx_print_template(struct printer *pr, struct node *n);
void cxx_print_conversion(struct printer *pr, struct node *n);
void cxx_print_lambda(struct printer *pr, struct node *n);
void cxx_print_pack(struct printer *pr, struct node *n);
void cxx_print_lambda_param(struct printer *pr, uint32_t index);
/* What T_ means; NULL (and the printer has failed) if it means nothing. */
struct node *cxx_argument(struct printer *pr, const struct node *param);
/* How many elements the first pack in the pattern has. */
uint32_t cxx_pack_length(struct printer *pr, struct node *pattern);
/* How many template arguments are in the list, packs expanded. */
uint32_t cxx_argument_count(struct printer *pr, const struct node *list);
/* A new scope inside the present one. */
const struct scope *cxx_scope(struct printer *pr, const struct node *template);

/* type.c */
void cxx_print_typed(struct printer *pr, struct node *n);
void cxx_print_type(struct printer *pr, struct node *n);

/* expression.c: false if it is no expression. */
bool cxx_print_expression(struct printer *pr, struct node *n);
void cxx_print_operand(struct printer *pr, struct node *n);

#endif
