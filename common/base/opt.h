/* Command lines, read as Perl's Getopt::Long reads them: one dash or two, any letter case, any
 * unique prefix of a name, "--name=value" or "--name value", options and operands in any order;
 * "--" ends the options. Beyond that, the value may follow a letter: "-F99". */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/pattern.h"
#include "common/base/span.h"

enum opt_type {
    OPT_FLAG,
    OPT_NEGATABLE, /* a flag that "--no-name" and "--noname" unset */
    OPT_TEXT,
    OPT_CHOICE,     /* one of "left|right", its metavar, or a unique prefix of one */
    OPT_INT,        /* [-+]digits */
    OPT_COUNT,      /* the same, 1 or more */
    OPT_NUM,        /* a decimal number, perhaps with a fraction or an exponent */
    OPT_MAYBE_NUM,  /* the same, or no value; given only after "="; the metavar is "[=N]" */
    OPT_MAYBE_TEXT, /* a text, or no value; given only after "=" */
    OPT_HEAD,       /* not an option: --help prints the row's help as a heading */
};

/* A row of a program's option table; a row without a name ends the table. */
struct opt {
    const char *name;
    char letter; /* "-q" for "--quiet"; 0: none */
    enum opt_type type;
    bool own; /* not an option of the Perl script, whose options come first for shortened names */
    int id;   /* what opt_next returns, above 0; or OPT_AT */
    const char *metavar; /* the value's name in --help */
    const char *help;
};

/* What opt_next returns at the end, and the options that it handles itself. */
enum { OPT_DONE = 0, OPT_QUIET = -1, OPT_STRICT = -2, OPT_HELP = -3, OPT_VERSION = -4 };

/* The id of an option that opt_next stores in a member of the program's struct: a flag in a bool, a
 * text in a const char *, the index of a choice in an enum or an int, an OPT_NUM in a double, an
 * OPT_COUNT in a size_t. */
#define OPT_AT(type, member) (OPT_VERSION - 1 - (int)offsetof(type, member))

/* Rows of option tables: a heading above the rows that follow it; the option of programs that skip
 * lines (input_status); and the options of every program, which end the table. */
/* clang-format off */
#define OPT_HEADING(text) {"", 0, OPT_HEAD, true, 0, NULL, text}
#define OPT_STRICT_ROW                                                                             \
    {"strict", 0, OPT_FLAG, true, OPT_STRICT, NULL, "exit with status 1 if any line was skipped"}
#define OPT_COMMON                                                                                 \
    {"quiet", 'q', OPT_FLAG, true, OPT_QUIET, NULL, "print no warnings"},                          \
    {"help", 'h', OPT_FLAG, false, OPT_HELP, NULL, "print this text"},                             \
    {"version", 'V', OPT_FLAG, true, OPT_VERSION, NULL, "print the version"}, {0}
/* clang-format on */

/* A program, for --help and for its exit status on wrong usage. All borrowed. */
struct opt_program {
    const char *name;
    const char *synopsis; /* "[option ...] [file ...]" */
    const char *about;    /* a line or a few */
    const struct opt *table;
    int usage_status; /* 2, or what the Perl script of that name exits with */
    /* --help prints to standard error and ends with usage_status. "--name=" is an error, since the
     * value is missing; "--name ''" gives an empty value. */
    bool perl_help;
};

struct opt_reader {
    const struct opt_program *program;
    char **argv;   /* the operands, moved to the front, then what is not yet read */
    void *options; /* where OPT_AT stores */
    int argc, at;
    int noperands;
    bool quiet, strict;  /* --quiet and --strict were given */
    bool ended;          /* after "--" */
    const char *name;    /* of the option read last, as in the table */
    const char *value;   /* its text; NULL: it has none */
    long number;         /* OPT_INT; OPT_CHOICE: its index from 0; OPT_NEGATABLE: 1 set, 0 unset */
    double real;         /* OPT_NUM, OPT_MAYBE_NUM */
    const char *cluster; /* the letters of "-ns" not yet read */
};

/* Return true if the program was called by this name, in whatever folder. */
bool opt_called(const char *name, int argc, char **argv);

/* Start to read the command line. Call this before any file is opened: if standard input, output or
 * error is closed, it opens /dev/null there, so that no other file gets that number. `options` is
 * the struct of OPT_AT, or NULL. All pointers are borrowed; operands are moved within argv. */
void opt_start(struct opt_reader *r, const struct opt_program *p, void *options, int argc,
               char **argv);

/* Return the next option's id, or OPT_DONE; then r->argv[0 .. r->noperands-1] are the operands. End
 * the program on wrong usage and after --help and --version. */
int opt_next(struct opt_reader *r);

/* Print what is wrong and a hint at --help on standard error, and exit with the usage status. */
_Noreturn void opt_usage(const struct opt_program *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Return the value of the OPT_INT option read last. A number below `least`, which is 0 or more, is
 * wrong usage. */
size_t opt_at_least(const struct opt_reader *r, long least);

/* Return the value of the OPT_MAYBE_NUM option read last; `without` if it has none. A value that is
 * not a whole number from 1 to `most` is wrong usage. */
size_t opt_maybe_count(const struct opt_reader *r, long most, size_t without);

/* Return the value of the option read last in seconds: "90", "90s", "10m", "12h" or "7d". A time
 * below 1 second or above `most` seconds is wrong usage. */
uint64_t opt_time(const struct opt_reader *r, uint64_t most);

/* Return the value "PID=FILE" of the option read last, borrowed; any other is wrong usage. */
struct map_option {
    int32_t pid;
    const char *path;
} opt_map(const struct opt_reader *r);

/* Compile the value of the option read last; an invalid expression is wrong usage. */
void opt_pattern(const struct opt_reader *r, struct pattern *p);

#endif
