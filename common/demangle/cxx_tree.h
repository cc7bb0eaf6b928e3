/* The tree of a mangled C++ name: demangle_cxx.c builds it, cxx_print.c prints it.
 *
 * Grammar: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling */
#ifndef DEMANGLE_CXX_TREE_H
#define DEMANGLE_CXX_TREE_H

#include <stdint.h>

#include "common/base/text.h"

/* For each kind: its children, left and right, and the meaning of its number. Kinds with `text`
 * have `number` bytes of text in place of a left child. */
enum node_kind {
    NODE_NAME,             /* text: an identifier */
    NODE_TEXT,             /* text: another fixed name, such as std::string */
    NODE_BUILTIN,          /* text: a builtin type; `literal` is the style of its literals */
    NODE_OPERATOR,         /* number: index into cxx_operators */
    NODE_VENDOR_OPERATOR,  /* left: its name; number: its operands */
    NODE_CONVERSION,       /* left: the type to which the operator converts */
    NODE_CAST,             /* left: the type, in an expression */
    NODE_LITERAL_OPERATOR, /* left: the suffix of operator"" */
    NODE_QUALIFIED,        /* left::right */
    NODE_LOCAL,            /* left: a function; right: the entity in it */
    NODE_DEFAULT_ARGUMENT, /* left: the entity in it; number: index of the argument */
    NODE_TYPED,            /* left: a function's name; right: its type */
    NODE_TEMPLATE,         /* left: name; right: arguments */
    NODE_FUNCTION_PARAM,   /* number: 0 for `this`, parameters from 1 */
    NODE_CONSTRUCTOR,      /* left: the class's name */
    NODE_DESTRUCTOR,
    NODE_TAGGED,  /* left[abi:right] */
    NODE_UNNAMED, /* number: from 0 */
    NODE_LAMBDA,  /* left: parameters; right: template head or NULL; number: from 0 */
    NODE_BINDING, /* left: the first name; right: the binding of the others or NULL */
    NODE_MODULE,  /* left: the parent module or NULL; right: name */
    NODE_PARTITION,
    NODE_MODULE_ENTITY,       /* left: name; right: its module */
    NODE_SPECIAL,             /* left: its description, such as "vtable for "; right: the entity */
    NODE_CONSTRUCTION_VTABLE, /* left-in-right */
    NODE_REFERENCE_TEMPORARY, /* left: the variable; number */
    NODE_CLONE,               /* left: the function; right: the suffix */

    NODE_TEMPLATE_PARAM, /* number: index; `scope` is the printer's */

    /* Types around another one, which is on the left. */
    NODE_POINTER,
    NODE_LVALUE_REFERENCE,
    NODE_RVALUE_REFERENCE,
    NODE_COMPLEX,
    NODE_IMAGINARY,
    NODE_CONST,
    NODE_VOLATILE,
    NODE_RESTRICT,
    NODE_VENDOR_QUALIFIER, /* right: its name */
    NODE_VECTOR,           /* right: the number of elements */
    NODE_MEMBER_POINTER,   /* right: the class */
    NODE_ARRAY,            /* right: the number of elements, or NULL */

    /* Qualifiers of a function, which is on the left: see cxx_is_function_qualifier. */
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

    NODE_LIST,      /* left: an element or NULL; right: the rest of the list or NULL */
    NODE_ARGUMENTS, /* likewise, for template arguments and packs of them */

    /* Template parameters of a lambda; right: the next one or NULL. */
    NODE_HEAD,                    /* left: the first parameter */
    NODE_TYPE_PARAM,              /* left: its concept or NULL */
    NODE_VALUE_PARAM,             /* left: type */
    NODE_TEMPLATE_TEMPLATE_PARAM, /* left: its head */
    NODE_PACK_PARAM,              /* left: parameter */

    NODE_LITERAL,          /* left: type; right: the digits */
    NODE_NEGATIVE_LITERAL, /* likewise, negative */
    NODE_INITIALIZERS,     /* left: type or NULL; right: list */
    NODE_VENDOR_CALL,      /* left: name; right: arguments */
    NODE_NULLARY,          /* left: operator */
    NODE_UNARY,            /* left: operator or cast; right: operand */
    NODE_POSTFIX,
    NODE_BINARY,  /* left, right: operands; number: index into cxx_operators */
    NODE_TERNARY, /* left: the first operand; right: NODE_OPERANDS; number as above */
    NODE_OPERANDS
};

struct node {
    uint8_t kind;     /* enum node_kind */
    uint8_t printing; /* number of times that it is being printed now */
    uint8_t literal;  /* enum literal_style */
    bool scope_known; /* for NODE_TEMPLATE_PARAM: `scope` is set */
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

/* How a literal of a builtin type is printed: after its type in parentheses; after its type and in
 * brackets (floating point); as true or false; or only with a suffix. LITERAL_NAME, void and
 * nullptr have no literals and only mark the type. */
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

/* Return the index of the operator with this code, or -1. */
long cxx_find_operator(char first, char second);

/* Return true for a type that is printed around a name or another type. */
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

/* Return true for static_cast and the like. */
static inline bool
cxx_is_named_cast(uint32_t op)
{
    return cxx_operator_is(op, "cc") || cxx_operator_is(op, "dc") || cxx_operator_is(op, "rc") ||
           cxx_operator_is(op, "sc");
}

/* Return false for NULL. */
static inline bool
cxx_is_module(const struct node *n)
{
    return n != NULL && (n->kind == NODE_MODULE || n->kind == NODE_PARTITION);
}

#endif
