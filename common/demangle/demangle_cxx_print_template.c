/* Prints templates, their arguments, and packs of arguments. */
#include "common/demangle/demangle_cxx_print.h"

/* Elements that print nothing, which are empty packs, leave their comma behind: "f<, int>"; but
 * those at the end do not. */
void
cxx_print_list(struct printer *pr, struct node *list)
{
    char *end = pr->at;
    for (struct node *n = list; n != NULL; n = n->right) {
        if (n != list)
            cxx_put(pr, SPAN(", "));
        const char *before = pr->at;
        if (n->left != NULL)
            cxx_print_node(pr, n->left);
        if (pr->at > before)
            end = pr->at;
    }
    pr->at = end;
}

static void
print_arguments(struct printer *pr, struct node *arguments)
{
    if (pr->last == '<')
        cxx_put_char(pr, ' ');
    cxx_put_char(pr, '<');
    cxx_print_node(pr, arguments);
    if (pr->last == '>')
        cxx_put_char(pr, ' ');
    cxx_put_char(pr, '>');
}

void
cxx_print_template(struct printer *pr, struct node *n)
{
    const struct node *around = pr->template_around;
    struct pending *pending = pr->pending;
    pr->template_around = n;
    pr->pending = NULL;
    cxx_print_node(pr, n->left);
    print_arguments(pr, n->right);
    pr->template_around = around;
    pr->pending = pending;
}

const struct scope *
cxx_scope(struct printer *pr, const struct node *template)
{
    struct scope *s = arena_alloc(pr->arena, sizeof *s);
    *s = (struct scope){pr->scope, template};
    return s;
}

/* In "operator T_<int>" T_ means the argument that comes after it. If T_ has arguments of its own,
 * these are those of the operator. */
void
cxx_print_conversion(struct printer *pr, struct node *n)
{
    const struct scope *scope = pr->scope;
    struct node *type = n->left;
    cxx_put(pr, SPAN("operator "));
    if (pr->template_around != NULL)
        pr->scope = cxx_scope(pr, pr->template_around);
    if (type->kind == NODE_TEMPLATE) {
        cxx_print_node(pr, type->left);
        pr->scope = scope;
        print_arguments(pr, type->right);
    } else {
        cxx_print_node(pr, type);
    }
    pr->scope = scope;
}

/* Element `index` of a list of template arguments, or NULL. */
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

/* The first pack in a pattern that T_ means, or NULL. */
static struct node *
find_pack(struct printer *pr, struct node *n)
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
        found = find_pack(pr, n->right);
        if (found == NULL)
            found = find_pack(pr, n->left);
        break;
    default:
        found = find_pack(pr, n->left);
        if (found == NULL)
            found = find_pack(pr, n->right);
    }
    pr->depth--;
    return found;
}

static uint32_t
length(const struct node *pack)
{
    uint32_t n = 0;
    for (; pack != NULL && pack->kind == NODE_ARGUMENTS && pack->left != NULL; pack = pack->right)
        n++;
    return n;
}

uint32_t
cxx_pack_length(struct printer *pr, struct node *pattern)
{
    return length(find_pack(pr, pattern));
}

uint32_t
cxx_argument_count(struct printer *pr, const struct node *list)
{
    uint32_t n = 0;
    for (; list != NULL && list->left != NULL; list = list->right)
        n += list->left->kind == NODE_PACK ? cxx_pack_length(pr, list->left->left) : 1;
    return n;
}

/* The pattern, once for each element of its pack; or as it stands, if that is a pack of function
 * parameters. The last element stays what T_ means after the expansion, as in c++filt. */
void
cxx_print_pack(struct printer *pr, struct node *n)
{
    struct node *pack = pr->lambda_params == 0 ? find_pack(pr, n->left) : NULL;
    if (pack == NULL) {
        cxx_print_operand(pr, n->left);
        cxx_put(pr, SPAN("..."));
        return;
    }
    uint32_t count = length(pack);
    for (uint32_t i = 0; i < count && !pr->failed; i++) {
        if (i > 0)
            cxx_put(pr, SPAN(", "));
        pr->pack_index = (long)i;
        cxx_print_node(pr, n->left);
    }
}

static void
print_head_param(struct printer *pr, struct node *param)
{
    switch (param->kind) {
    case NODE_TYPE_PARAM:
        cxx_put(pr, SPAN("typename"));
        break;
    case NODE_VALUE_PARAM:
        cxx_print_node(pr, param->left);
        break;
    case NODE_PACK_PARAM:
        print_head_param(pr, param->left);
        cxx_put(pr, SPAN("..."));
        break;
    default: /* NODE_TEMPLATE_TEMPLATE_PARAM */
        cxx_put(pr, SPAN("template<"));
        for (struct node *n = param->left->left; n != NULL; n = n->right) {
            print_head_param(pr, n);
            if (n->right != NULL)
                cxx_put(pr, SPAN(", "));
        }
        cxx_put(pr, SPAN("> class"));
    }
}

/* $T0, $N1, $TT2: the number and what kind of parameter it is. */
static void
print_head_param_name(struct printer *pr, const struct node *param, uint32_t index)
{
    if (param->kind == NODE_PACK_PARAM)
        param = param->left;
    if (param->kind == NODE_TYPE_PARAM)
        cxx_put(pr, SPAN("$T"));
    else
        cxx_put(pr, param->kind == NODE_VALUE_PARAM ? SPAN("$N") : SPAN("$TT"));
    cxx_put_number(pr, index);
}

/* A template parameter in a lambda's parameters: one that its head declares, or that the compiler
 * made for `auto`. */
void
cxx_print_lambda_param(struct printer *pr, uint32_t index)
{
    if (index + 1 >= pr->lambda_params) {
        cxx_put(pr, SPAN("auto:"));
        cxx_put_number(pr, (uint64_t)index + 1);
        return;
    }
    const struct node *head = pr->scope != NULL ? pr->scope->template : NULL, *param = NULL;
    if (head != NULL && head->kind == NODE_HEAD)
        param = head->left;
    for (uint32_t i = 0; i < index && param != NULL; i++)
        param = param->right;
    if (param != NULL)
        print_head_param_name(pr, param, index);
    else
        pr->failed = true;
}

static void
print_head(struct printer *pr, const struct node *head)
{
    cxx_put_char(pr, '<');
    for (struct node *n = head->left; n != NULL; n = n->right) {
        if (pr->lambda_params++ > 0)
            cxx_put(pr, SPAN(", "));
        print_head_param(pr, n);
        cxx_put_char(pr, ' ');
        print_head_param_name(pr, n, pr->lambda_params - 1);
        if (n->kind == NODE_PACK_PARAM)
            break; /* c++filt prints none after a pack */
    }
    cxx_put_char(pr, '>');
}

/* {lambda(int, auto:1)#1}, {lambda<typename $T0>($T0)#1}. */
void
cxx_print_lambda(struct printer *pr, struct node *n)
{
    const struct scope *scope = pr->scope;
    uint32_t lambda_params = pr->lambda_params;
    pr->lambda_params = 0;
    cxx_put(pr, SPAN("{lambda"));
    if (n->right != NULL) {
        pr->scope = cxx_scope(pr, n->right);
        print_head(pr, n->right);
    }
    pr->lambda_params++;
    cxx_put_char(pr, '(');
    cxx_print_node(pr, n->left);
    pr->lambda_params = lambda_params;
    pr->scope = scope;
    cxx_put(pr, SPAN(")#"));
    cxx_put_number(pr, (uint64_t)n->number + 1);
    cxx_put_char(pr, '}');
}
