/* The tree of a mangled C++ name, which demangle_cxx_*.c build and print. Private to them.
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef DEMANGLE_DEMANGLE_CXX_TREE_H
#define DEMANGLE_DEMANGLE_CXX_TREE_H

#include <stdint.h>

#include "common/demangle/demangle_cxx.h"

/* For each kind: its children left and right, and what its number is. Kinds with `text` have no
 * left child, but `number` bytes of text. */
enum node_kind {
    NODE_NAME,             /* text: an identifier */
    NODE_TEXT,             /* text: another fixed name, as std::string */
    NODE_BUILTIN,          /* text: a builtin type; `literal` says how its literals are printed */
    NODE_OPERATOR,         /* number: index into cxx_operators */
    NODE_VENDOR_OPERATOR,  /* left: its name; number: how many operands */
    NODE_CONVERSION,       /* left: the type of an operator that is a conversion to it */
    NODE_CAST,             /* the same in an expression */
    NODE_LITERAL_OPERATOR, /* left: the suffix of operator"" */
    NODE_QUALIFIED,        /* left::right */
    NODE_LOCAL,            /* left: a function; right: the entity in it */
    NODE_DEFAULT_ARGUMENT, /* left: the entity in it; number: which one */
    NODE_TYPED,            /* left: a function's name; right: its type */
    NODE_TEMPLATE,         /* left: name; right: arguments */
    NODE_FUNCTION_PARAM,   /* number: 0 for `this`, or from 1 */
    NODE_CONSTRUCTOR,      /* left: the class's name */
    NODE_DESTRUCTOR,
    NODE_TAGGED,  /* left[abi:right] */
    NODE_UNNAMED, /* number: from 0 */
    NODE_LAMBDA,  /* left: parameters; right: template head or NULL; number: from 0 */
    NODE_BINDING, /* left: the first name; right: the binding of the others or NULL */
    NODE_MODULE,  /* left: the parent module or NULL; right: name */
    NODE_PARTITION,
    NODE_MODULE_ENTITY,       /* left: name; right: its module */
    NODE_SPECIAL,             /* left: what it belongs to; number: index into cxx_specials */
    NODE_CONSTRUCTION_VTABLE, /* left-in-right */
    NODE_REFERENCE_TEMPORARY, /* left: the variable; number */
    NODE_CLONE,               /* left: the function; right: the suffix */

    NODE_TEMPLATE_PARAM, /* number: index; `scope` is the printer's */

    /* Types around another one, on the left. */
    NODE_POINTER,
    NODE_LVALUE_REFERENCE,
    NODE_RVALUE_REFERENCE,
    NODE_COMPLEX,
    NODE_IMAGINARY,
    NODE_CONST,
    NODE_VOLATILE,
    NODE_RESTRICT,
    NODE_VENDOR_QUALIFIER, /* right: its name */
    NODE_VECTOR,           /* right: how many elements */
    NODE_MEMBER_POINTER,   /* right: the class */
    NODE_ARRAY,            /* right: how many elements, or NULL */

    /* Qualifiers of a function, on the left: see cxx_is_function_qualifier. */
    NODE_CONST_THIS,
    NODE_VOLATILE_THIS,
    NODE_RESTRICT_THIS,
    NODE_LVALUE_THIS,
    NODE_RVALUE_THIS,
    NODE_TRANSACTION_SAFE,
    NODE_NOEXCEPT, /* right: expression or NULL */
    NODE_THROW,    /* right: types */

    NODE_FUNCTION, /* left: return type or NULL; right: parameters */
    NODE_DECLTYPE, /* left: expression */
    NODE_PACK,     /* left: the pattern of a pack expansion */

    NODE_LIST,      /* left: an element or NULL; right: the list of the others or NULL */
    NODE_ARGUMENTS, /* the same for template arguments and packs of them */

    /* Template parameters of a lambda; right: the next one or NULL. */
    NODE_HEAD, /* left: the first parameter */
    NODE_TYPE_PARAM,
    NODE_VALUE_PARAM,             /* left: type */
    NODE_TEMPLATE_TEMPLATE_PARAM, /* left: its head */
    NODE_PACK_PARAM,              /* left: parameter */

    NODE_LITERAL,          /* left: type; right: the digits */
    NODE_NEGATIVE_LITERAL, /* the same with a minus */
    NODE_INITIALIZERS,     /* left: type or NULL; right: list */
    NODE_VENDOR_CALL,      /* left: name; right: arguments */
    NODE_NULLARY,          /* left: operator */
    NODE_UNARY,            /* left: operator or cast; right: operand */
    NODE_POSTFIX,
    NODE_BINARY,  /* left, right: operands; number: index into cxx_operators */
    NODE_TERNARY, /* left: the first operand; right: NODE_OPERANDS; number as above */
    NODE_OPERANDS
};

struct parser;

struct node {
    uint8_t kind;     /* enum node_kind */
    uint8_t printing; /* how many times the printer is inside this node */
    uint8_t literal;  /* enum literal_style */
    bool scope_known; /* of NODE_TEMPLATE_PARAM: `scope` is set */
    uint32_t number;
    union {
        struct node *left;
        const char *text;
    };
    union {
        struct node *right;
        const struct scope *scope;
    };
};

/* How a literal of a builtin type is printed: after its type in parentheses, after its type and in
 * brackets (floating point), as true or false, or with a suffix alone. Of LITERAL_NAME, void and
 * nullptr there are none; these mark the type. */
enum literal_style {
    LITERAL_CAST,
    LITERAL_NAME, /* auto: printed without parentheses, as names are */
    LITERAL_FLOAT,
    LITERAL_BOOL,
    LITERAL_VOID,
    LITERAL_NULLPTR,
    LITERAL_INT,
    LITERAL_UNSIGNED,
    LITERAL_LONG,
    LITERAL_UNSIGNED_LONG,
    LITERAL_LONG_LONG,
    LITERAL_UNSIGNED_LONG_LONG
};

struct cxx_operator {
    char code[2];
    uint8_t operands;
    struct span name;
};

extern const struct cxx_operator cxx_operators[];

/* What the compiler makes, by its mangled code: TV is "vtable for " a type. */
struct cxx_special {
    char code[2];
    struct node *(*operand)(struct parser *p);
    struct span text;
};

/* These two have no code. */
enum { CXX_GLOBAL_CONSTRUCTORS, CXX_GLOBAL_DESTRUCTORS };

extern const struct cxx_special cxx_specials[];

/* What is printed around a name or another type. */
static inline bool
cxx_is_compound_type(const struct node *n)
{
    return n->kind >= NODE_TEMPLATE_PARAM && n->kind <= NODE_FUNCTION;
}

static inline bool
cxx_is_function_qualifier(const struct node *n)
{
    return n->kind >= NODE_CONST_THIS && n->kind <= NODE_THROW;
}

static inline bool
cxx_operator_is(uint32_t op, const char code[static 2])
{
    return cxx_operators[op].code[0] == code[0] && cxx_operators[op].code[1] == code[1];
}

/* False for NULL. */
static inline bool
cxx_is_module(const struct node *n)
{
    return n != NULL && (n->kind == NODE_MODULE || n->kind == NODE_PARTITION);
}

/* The parser. Each function below takes its part of the name from the front and returns its node,
 * or NULL where the text is not such a part. Their recursion is as deep as the name is long at
 * most: DEMANGLE_CXX_NAME_MAX. */
struct parser {
    const char *at, *end;
    struct arena *arena;
    struct node *nodes; /* not yet used */
    size_t nodes_left;
    struct node **substitutions;
    size_t substitution_count, substitution_cap;
    struct node *last_name; /* of a class, for its constructors and destructors */
    unsigned types;         /* that were read so far */
    bool in_expression;     /* cv is a cast, and not the name of an operator */
    bool in_conversion;     /* in the type of such a name */
    bool old_scopes;        /* sr3Foo3bar is to be read as older compilers meant it */
    bool has_scopes;        /* there was one that could be */
};

/* The next byte and the one after that; NUL at the end. */
static inline char
cxx_peek(const struct parser *p)
{
    return p->at < p->end ? *p->at : '\0';
}

static inline char
cxx_peek_second(const struct parser *p)
{
    return p->end - p->at > 1 ? p->at[1] : '\0';
}

/* The next byte; it is consumed. */
static inline char
cxx_next(struct parser *p)
{
    return p->at < p->end ? *p->at++ : '\0';
}

/* True, and consumed, if c is next. */
static inline bool
cxx_take(struct parser *p, char c)
{
    if (cxx_peek(p) != c || p->at == p->end)
        return false;
    p->at++;
    return true;
}

/* The same for two bytes. */
static inline bool
cxx_take_two(struct parser *p, const char text[static 2])
{
    if (cxx_peek(p) != text[0] || cxx_peek_second(p) != text[1])
        return false;
    p->at += 2;
    return true;
}

static inline bool
cxx_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool
cxx_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* A new node, in each case. */
struct node *cxx_node(struct parser *p, enum node_kind kind, struct node *left, struct node *right);
struct node *cxx_text(struct parser *p, enum node_kind kind, struct span text);
struct node *cxx_numbered(struct parser *p, enum node_kind kind, struct node *left, long number);

/* NULL if the child is. */
struct node *cxx_one(struct parser *p, enum node_kind kind, struct node *left);

/* NULL if one of the children is. */
struct node *cxx_two(struct parser *p, enum node_kind kind, struct node *left, struct node *right);

/* Makes n the next substitution; returns it. */
struct node *cxx_remember(struct parser *p, struct node *n);

/* A decimal number, with n for a minus; 0 without digits, -1 if it has more than nine. */
long cxx_number(struct parser *p);

/* Counts from 0: "_" is 0, "0_" is 1. -1 if it is not such a number. */
long cxx_compact_number(struct parser *p);

/* name.c */
struct node *cxx_name(struct parser *p);
struct node *cxx_source_name(struct parser *p);
struct node *cxx_unqualified_name(struct parser *p, struct node *scope, struct node *module);
struct node *cxx_prefix(struct parser *p, bool remember); /* a nested name, up to its E */
struct node *cxx_substitution(struct parser *p, bool prefix);
bool cxx_discriminator(struct parser *p); /* false if it is wrong */
/* Sets *module, which is its parent or NULL before, if there is a module's name. False if it is
 * wrong. */
bool cxx_module_name(struct parser *p, struct node **module);

/* function.c: with name_only, the parameters are left unread. */
struct node *cxx_encoding(struct parser *p, bool name_only);
struct node *cxx_clone_suffix(struct parser *p, struct node *encoding);
struct node *cxx_local_name(struct parser *p);
struct node *cxx_lambda(struct parser *p);
struct node *cxx_unnamed_type(struct parser *p);

/* special.c: vtables, thunks and other names that the compiler makes. */
struct node *cxx_special_name(struct parser *p);

/* type.c and template.c */
struct node *cxx_type(struct parser *p);
struct node *cxx_builtin(struct parser *p);
struct node *cxx_template_param(struct parser *p);
struct node *cxx_template_argument(struct parser *p);
struct node *cxx_template_arguments(struct parser *p); /* from I or J */
struct node *cxx_rest_of_arguments(struct parser *p);  /* after it */
struct node *cxx_function_type(struct parser *p, bool has_return);
struct node *cxx_parameters(struct parser *p);

/* Qualifiers: makes *at the outermost of them, and returns where the node they qualify belongs, or
 * NULL. `member`: of a member function's name. */
struct node **cxx_qualifiers(struct parser *p, struct node **at, bool member);
/* A function's & or &&, around inner; inner itself without. */
struct node *cxx_ref_qualifier(struct parser *p, struct node *inner);

/* expression.c */
struct node *cxx_expression(struct parser *p);
struct node *cxx_literal(struct parser *p); /* from L */
struct node *cxx_operator_name(struct parser *p);

#endif
