/* What is known of each system call of a machine: its name, its arguments, and what it does to
 * descriptors.
 *
 * The names of arguments come from the formats of the tracepoints syscalls:sys_enter_*, which are
 * in the session's tracing data even if these tracepoints are not recorded. */
#ifndef TRACEPOINT_SYSCALLKINDS_H
#define TRACEPOINT_SYSCALLKINDS_H

#include "common/tracepoint/tracing.h"

enum { SYSCALL_ARGUMENTS = 6 };

/* How an argument is printed. The formats of tracepoints give each argument eight bytes, even an
 * int, whose value is in the lower four bytes alone. So they do not show which arguments are ints. */
enum syscall_style {
    STYLE_NUMBER, /* from 2^32 on in hexadecimal: an address, mostly */
    STYLE_HEX,
    STYLE_OCTAL,
    STYLE_FD,     /* a descriptor, or AT_FDCWD */
    STYLE_STRING, /* the address of a text that a NUL ends */
};

/* How a call changes which files the descriptors of its process stand for. */
enum syscall_effect {
    EFFECT_NONE,
    EFFECT_OPENS,      /* the result is a new descriptor; it replaces one, for dup2 and dup3 */
    EFFECT_CLOSES,     /* the first argument is closed */
    EFFECT_CLOSES_MANY /* close_range */
};

struct syscall_argument {
    struct span name;
    enum syscall_style style;
};

struct syscall_kind {
    struct span name; /* "read"; empty: unknown */
    struct span leaf; /* "[syscall: read]" */
    bool wanted;      /* as the list that syscallkinds_init() gets */
    bool known;       /* the arguments are known */
    bool hex;         /* the result is an address */
    enum syscall_effect effect;
    uint8_t count;
    struct syscall_argument arguments[SYSCALL_ARGUMENTS];
};

/* {0} is empty. */
struct syscallkinds {
    struct tracing tracing; /* the formats; all that were read before a fault in them */

    /* private */
    struct syscall_kind *kinds; /* by number; then those of 32-bit programs */
    struct arena names;
};

/* Set up the kinds for a machine, as uname -m prints it. `wanted`: names with commas between them;
 * empty: all calls. Borrow `tracing` and `machine`. Return NULL, or what is wrong with the formats;
 * the kinds can be used even then. */
const char *syscallkinds_init(struct syscallkinds *k, struct span tracing, struct span machine,
                              struct span wanted);

/* Return the kind of a call by its number. `compat`: of a 32-bit program. */
const struct syscall_kind *syscallkinds_of(const struct syscallkinds *k, int64_t number,
                                           bool compat);

void syscallkinds_free(struct syscallkinds *k);

#endif
