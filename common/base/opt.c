#include "common/base/opt.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "common/base/diag.h"
#include "common/base/num.h"

#ifndef VERSION
#error "VERSION is set by the Makefile"
#endif

bool
opt_called(const char *name, int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    return argc > 0 && strcmp(slash != NULL ? slash + 1 : argv[0], name) == 0;
}

/* If standard input, output or error is closed, the next file that is opened would take its number,
 * and our messages would be written to it. Occupy the number with a descriptor that can be neither
 * read nor written in that direction, so that reading and writing fail as they would without it. */
static void
hold_closed(void)
{
    for (int fd = 0, null; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            (null = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY)) > fd)
            close(null); /* fd is open: fcntl failed for another reason */
}

void
opt_start(struct opt_reader *r, const struct opt_program *p, void *options, int argc, char **argv)
{
    hold_closed();
    *r = (struct opt_reader){
        .program = p, .argv = argv + 1, .argc = argc > 0 ? argc - 1 : 0, .options = options};
}

/* Return true if the option's value is optional. */
static bool
is_maybe(const struct opt *o)
{
    return o->type == OPT_MAYBE_NUM || o->type == OPT_MAYBE_TEXT;
}

/* --help prints texts from this column, and breaks lines for terminals of 80 columns. */
enum { HELP_COLUMN = 26, HELP_END = 80 };

/* Print the head of a row with its text beside it, or below it if the head is too long. */
static void
print_row(FILE *to, const char *head, const char *text)
{
    bool beside = strlen(head) < HELP_COLUMN - 1;
    fprintf(to, "%-*s%s", beside ? HELP_COLUMN : 0, head, beside ? "" : "\n");
    for (bool first = true; *text != '\0'; first = false) {
        size_t room = HELP_END - HELP_COLUMN, len = strlen(text);
        if (len > room)
            for (len = room; len > 0 && text[len] != ' '; len--) {
            }
        if (len == 0) /* a word that fills the line */
            len = strcspn(text, " ");
        fprintf(to, "%*s%.*s\n", first && beside ? 0 : HELP_COLUMN, "", (int)len, text);
        text += len + strspn(text + len, " ");
    }
}

static void
print_help(const struct opt_program *p, FILE *to)
{
    fprintf(to, "usage: %s %s\n%s\n\n", p->name, p->synopsis, p->about);
    for (const struct opt *o = p->table; o->name != NULL; o++) {
        char head[512];
        char letter[8] = "";
        if (o->type == OPT_HEAD) {
            fprintf(to, "%s%s:\n", o == p->table ? "" : "\n", o->help);
            continue;
        }
        if (o->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        bool apart = o->metavar != NULL && !is_maybe(o);
        snprintf(head, sizeof head, "  %s--%s%s%s%s", letter,
                 o->type == OPT_NEGATABLE ? "[no-]" : "", o->name, apart ? " " : "",
                 o->metavar != NULL ? o->metavar : "");
        print_row(to, head, o->help);
    }
}

static _Noreturn void
help(const struct opt_program *p)
{
    print_help(p, p->perl_help ? stderr : stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: standard output: %s\n", p->name, strerror(errno));
        exit(1);
    }
    exit(p->perl_help ? p->usage_status : 0);
}

static _Noreturn void
version(const struct opt_program *p)
{
    if (printf("%s (flamepipe) %s\n", p->name, VERSION) < 0 || fflush(stdout) != 0) {
        fprintf(stderr, "%s: standard output: %s\n", p->name, strerror(errno));
        exit(1);
    }
    exit(0);
}

_Noreturn void
opt_usage(const struct opt_program *p, const char *format, ...)
{
    char text[1024];
    va_list args;
    struct diag d;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_init(&d, p->name);
    diag_error(&d, NOWHERE, "%s", text);
    fprintf(stderr, "usage: %s %s\ntry '%s --help' for the options\n", p->name, p->synopsis,
            p->name);
    exit(p->usage_status);
}

static bool
has_prefix(const char *name, const char *text, size_t len)
{
    return strncasecmp(name, text, len) == 0;
}

enum fit { FIT_NOT, FIT_PREFIX, FIT_WHOLE };

/* Return whether the text is the row's name, or a prefix of it. Set *on to false if that is so only
 * with "no" or "no-" before the name. */
static enum fit
fits(const struct opt *o, const char *text, size_t len, bool *on)
{
    static const char *const before[] = {"", "no-", "no"};
    enum fit fit = FIT_NOT;
    for (int i = 0; i < (o->type == OPT_NEGATABLE ? 3 : 1) && fit != FIT_WHOLE; i++) {
        size_t n = strlen(before[i]), common = n < len ? n : len;
        if (!has_prefix(before[i], text, common) ||
            (len > n && !has_prefix(o->name, text + n, len - n)))
            continue;
        fit = len > n && o->name[len - n] == '\0' ? FIT_WHOLE : FIT_PREFIX;
        *on = i == 0;
    }
    return fit;
}

/* Return the row that the text names exactly, or of which it is an unambiguous prefix. Names of
 * options that the Perl scripts have take precedence over other names. Return NULL if there is
 * none. Set *several if several options match; other names of the same option do not count. Set *on
 * to false if the option is negated. */
static const struct opt *
find(const struct opt *table, const char *text, size_t len, bool *several, bool *on)
{
    const struct opt *found[2] = {NULL, NULL}; /* indexed by `own` */
    size_t count[2] = {0, 0};
    bool set[2] = {true, true};
    *on = true;
    for (const struct opt *o = table; o->name != NULL; o++) {
        if (len == 1 && o->letter == text[0])
            return o;
        bool is_set = true;
        enum fit fit = fits(o, text, len, &is_set);
        if (fit == FIT_WHOLE) {
            *on = is_set;
            return o;
        }
        const struct opt *other = found[o->own];
        if (fit == FIT_PREFIX && (other == NULL || other->id != o->id)) {
            found[o->own] = o;
            set[o->own] = is_set;
            count[o->own]++;
        }
    }
    int group = count[0] > 0 ? 0 : 1;
    *several = count[group] > 1;
    *on = set[group];
    return count[group] == 1 ? found[group] : NULL;
}

/* Return the option with this letter that is a flag, or that is none. Return NULL if there is
 * none. */
static const struct opt *
by_letter(const struct opt *table, char c, bool flag)
{
    for (const struct opt *o = table; o->name != NULL; o++)
        if (o->letter == c && (o->type == OPT_FLAG) == flag)
            return o;
    return NULL;
}

/* Return true if all letters are flags: "ns" of "-ns". */
static bool
is_cluster(const struct opt *table, const char *letters)
{
    for (const char *p = letters; *p != '\0'; p++)
        if (by_letter(table, *p, true) == NULL)
            return false;
    return *letters != '\0';
}

static void
take_number(struct opt_reader *r, enum opt_type type)
{
    char *end;
    bool whole = type == OPT_INT || type == OPT_COUNT;
    errno = 0;
    if (whole)
        r->number = strtol(r->value, &end, 10);
    else
        r->real = strtod(r->value, &end);
    bool starts = is_digit(r->value[0]) || (r->value[0] != '\0' && strchr("+-.", r->value[0]));
    bool overflows = errno == ERANGE && (whole || isinf(r->real));
    if (!starts || end == r->value || *end != '\0' || (!whole && !overflows && !isfinite(r->real)))
        opt_usage(r->program, "option --%s: '%s' is not a number", r->name, r->value);
    if (overflows)
        opt_usage(r->program, "option --%s: %s is too %s", r->name, r->value,
                  r->value[0] == '-' ? "small" : "large");
}

/* Set r->number to the index of the value in the choices "a|b|c". */
static void
take_choice(struct opt_reader *r, const char *choices)
{
    size_t len = strlen(r->value);
    int found = -1, n = 0;
    for (const char *at = choices; at != NULL; n++) {
        const char *bar = strchr(at, '|');
        size_t size = bar != NULL ? (size_t)(bar - at) : strlen(at);
        if (len > 0 && len <= size && has_prefix(at, r->value, len)) {
            if (len == size) {
                r->number = n;
                return;
            }
            found = found == -1 ? n : -2;
        }
        at = bar != NULL ? bar + 1 : NULL;
    }
    if (found < 0)
        opt_usage(r->program, "option --%s: '%s' is not one of %s", r->name, r->value, choices);
    r->number = found;
}

/* Store the value of an option whose id is OPT_AT. */
static void
store(struct opt_reader *r, const struct opt *o)
{
    char *at = (char *)r->options + (OPT_VERSION - 1 - o->id);
    bool on = o->type == OPT_FLAG || r->number != 0;
    int choice = (int)r->number;
    size_t count = (size_t)r->number;
    if (o->type == OPT_TEXT)
        memcpy(at, &r->value, sizeof r->value);
    else if (o->type == OPT_CHOICE)
        memcpy(at, &choice, sizeof choice);
    else if (o->type == OPT_COUNT)
        memcpy(at, &count, sizeof count);
    else if (o->type == OPT_NUM)
        memcpy(at, &r->real, sizeof r->real);
    else
        memcpy(at, &on, sizeof on);
}

enum { HANDLED = -1 }; /* replaces an id: nothing is left to do for the program */

static int
taken(struct opt_reader *r, const struct opt *o)
{
    if (o->id == OPT_HELP)
        help(r->program);
    if (o->id == OPT_VERSION)
        version(r->program);
    r->quiet |= o->id == OPT_QUIET;
    r->strict |= o->id == OPT_STRICT;
    if (o->id < OPT_VERSION)
        store(r, o);
    return o->id > 0 ? o->id : HANDLED;
}

/* After an option whose value stands after "=" only, refuse a number that is no file: it is meant
 * as the value, as in "--stalls 100". */
static void
refuse_apart(const struct opt_reader *r, const struct opt *o)
{
    uint64_t number;
    const char *next = r->at < r->argc ? r->argv[r->at] : "";
    if (o->type == OPT_MAYBE_NUM && num_u64(span_cstr(next), &number) && access(next, F_OK) != 0)
        opt_usage(r->program, "option --%s: its value stands after '=': --%s=%s", o->name, o->name,
                  next);
}

/* Read the option `arg`; `text` is `arg` without its dashes. */
static int
take(struct opt_reader *r, const char *arg, const char *text)
{
    const struct opt_program *p = r->program;
    const char *equals = strchr(text, '=');
    const char *value = equals != NULL ? equals + 1 : NULL;
    size_t len = equals != NULL ? (size_t)(equals - text) : strlen(text);
    bool several = false, on = true, one_dash = text == arg + 1;
    const struct opt *o = len > 0 ? find(p->table, text, len, &several, &on) : NULL;
    if (o == NULL && one_dash && is_cluster(p->table, text)) {
        r->cluster = text;
        return HANDLED;
    }
    if (o == NULL && one_dash && !several && (o = by_letter(p->table, text[0], false)) != NULL)
        value = text + 1;
    if (o == NULL)
        opt_usage(p, several ? "option '%s' is ambiguous" : "unknown option '%s'", arg);
    r->name = o->name;
    r->value = value;
    r->number = on;
    if (o->type == OPT_FLAG || o->type == OPT_NEGATABLE) {
        if (value != NULL)
            opt_usage(p, "option --%s takes no value", o->name);
        return taken(r, o);
    }
    if (is_maybe(o) && value == NULL) {
        refuse_apart(r, o);
        return taken(r, o);
    }
    bool perl_misses = value != NULL && *value == '\0' && p->perl_help;
    if (perl_misses || (value == NULL && r->at == r->argc))
        opt_usage(p, "option --%s needs a value", o->name);
    if (value == NULL)
        r->value = r->argv[r->at++];
    if (o->type == OPT_CHOICE)
        take_choice(r, o->metavar);
    else if (o->type != OPT_TEXT && o->type != OPT_MAYBE_TEXT)
        take_number(r, o->type);
    if (o->type == OPT_COUNT)
        opt_at_least(r, 1);
    return taken(r, o);
}

int
opt_next(struct opt_reader *r)
{
    int id = HANDLED;
    while (id == HANDLED) {
        bool clustered = r->cluster != NULL && *r->cluster != '\0';
        if (!clustered && r->at == r->argc)
            return OPT_DONE;
        char *arg = clustered ? NULL : r->argv[r->at++];
        if (clustered)
            id = taken(r, by_letter(r->program->table, *r->cluster++, true));
        else if (r->ended || arg[0] != '-' || arg[1] == '\0')
            r->argv[r->noperands++] = arg;
        else if (strcmp(arg, "--") == 0)
            r->ended = true;
        else
            id = take(r, arg, arg + (arg[1] == '-' ? 2 : 1));
    }
    return id;
}

size_t
opt_maybe_count(const struct opt_reader *r, long most, size_t without)
{
    if (r->value == NULL)
        return without;
    if (!(r->real >= 1 && r->real <= (double)most) || r->real != (double)(long)r->real)
        opt_usage(r->program, "option --%s: '%s' is not a whole number from 1 to %ld", r->name,
                  r->value, most);
    return (size_t)r->real;
}

size_t
opt_at_least(const struct opt_reader *r, long least)
{
    if (r->number < least)
        opt_usage(r->program, "option --%s: '%s' is below %ld", r->name, r->value, least);
    return (size_t)r->number;
}

uint64_t
opt_time(const struct opt_reader *r, uint64_t most)
{
    static const uint64_t factors[] = {1, 60, 3600, 86400};
    uint64_t seconds;
    if (!num_unit(span_cstr(r->value), "smhd", factors, &seconds) || seconds == 0)
        opt_usage(r->program, "option --%s: '%s' is not a time such as 90s, 10m, 12h or 7d",
                  r->name, r->value);
    if (seconds > most)
        opt_usage(r->program, "option --%s: '%s' is over %s seconds", r->name, r->value,
                  NUM_TEXT(most));
    return seconds;
}

struct map_option
opt_map(const struct opt_reader *r)
{
    uint64_t pid;
    struct span text = span_cstr(r->value), number = span_before(text, '=');
    if (!num_u64(number, &pid) || pid > INT32_MAX || text.len - number.len < 2)
        opt_usage(r->program, "option --%s: '%s' is not PID=FILE", r->name, r->value);
    return (struct map_option){(int32_t)pid, r->value + number.len + 1};
}

void
opt_pattern(const struct opt_reader *r, struct pattern *p)
{
    char error[PATTERN_ERROR];
    if (!pattern_compile(p, r->value, error))
        opt_usage(r->program, "option --%s: '%s': %s", r->name, r->value, error);
}
