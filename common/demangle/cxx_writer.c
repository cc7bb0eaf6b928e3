#include "common/demangle/cxx_writer.h"

#include "common/base/num.h"

/* Limits far above the needs of compilers' names. They end the printing of a name that refers to
 * itself, or doubles in size with each substitution. */
enum { DEPTH_MAX = 1024, VISITS_MAX = 256 * 1024 };

void
cxx_put_number(struct printer *pr, uint64_t number)
{
    char digits[NUM_DIGITS];
    cxx_put(pr, num_decimal(digits, number));
}

bool
cxx_visit(struct printer *pr)
{
    if (pr->depth >= DEPTH_MAX || pr->visited++ >= VISITS_MAX)
        pr->failed = true;
    if (pr->failed)
        return false;
    pr->depth++;
    return true;
}

const struct scope *
cxx_new_scope(struct printer *pr, const struct node *template)
{
    struct scope *s = arena_alloc(pr->arena, sizeof *s);
    *s = (struct scope){pr->scope, template};
    return s;
}

/* Return element `index` of a list of template arguments, or NULL. */
static struct node *
element(struct node *list, long index)
{
    for (; list != NULL && list->kind == NODE_ARGUMENTS; list = list->right)
        if (index-- == 0)
            return list->left;
    return NULL;
}

static struct node *
lookup(const struct printer *pr, const struct node *param)
{
    return pr->scope != NULL ? element(pr->scope->template->right, (long)param->number) : NULL;
}

struct node *
cxx_argument(struct printer *pr, const struct node *param)
{
    struct node *a = lookup(pr, param);
    if (a != NULL && a->kind == NODE_ARGUMENTS && pr->pack_index >= 0)
        a = element(a, pr->pack_index);
    if (a == NULL)
        pr->failed = true;
    return a;
}

struct node *
cxx_find_pack(struct printer *pr, struct node *n)
{
    if (n == NULL || !cxx_visit(pr))
        return NULL;
    struct node *found = NULL;
    switch (n->kind) {
    case NODE_TEMPLATE_PARAM:
        found = lookup(pr, n);
        if (found != NULL && found->kind != NODE_ARGUMENTS)
            found = NULL;
        break;
    case NODE_NAME:
    case NODE_TEXT:
    case NODE_BUILTIN:
    case NODE_PACK:
    case NODE_LAMBDA:
    case NODE_TAGGED:
    case NODE_DEFAULT_ARGUMENT:
        break;
    case NODE_ARRAY: /* in the order of the mangled name */
    case NODE_VECTOR:
    case NODE_MEMBER_POINTER:
        found = cxx_find_pack(pr, n->right);
        if (found == NULL)
            found = cxx_find_pack(pr, n->left);
        break;
    default:
        found = cxx_find_pack(pr, n->left);
        if (found == NULL)
            found = cxx_find_pack(pr, n->right);
    }
    pr->depth--;
    return found;
}

uint32_t
cxx_length(const struct node *pack)
{
    uint32_t n = 0;
    for (; pack != NULL && pack->kind == NODE_ARGUMENTS && pack->left != NULL; pack = pack->right)
        n++;
    return n;
}

uint32_t
cxx_argument_count(struct printer *pr, const struct node *list)
{
    uint32_t n = 0;
    for (; list != NULL && list->left != NULL; list = list->right)
        n += list->left->kind == NODE_PACK ? cxx_length(cxx_find_pack(pr, list->left->left)) : 1;
    return n;
}
