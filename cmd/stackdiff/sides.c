#include "cmd/stackdiff/sides.h"

#include <sys/stat.h>
#include <unistd.h>

static void
add(struct sides *s, const char *file)
{
    s->runs = mem_grow(s->runs, &s->cap, s->nruns + 1, sizeof *s->runs);
    s->runs[s->nruns++] = (struct run){.file = file, .side = s->side};
}

void
sides_name(struct sides *s, const struct opt_reader *r, enum side side)
{
    if (!s->named && s->nruns > 0)
        opt_usage(r->program, "'%s' is neither of --before nor of --after", s->runs[0].file);
    s->named = true;
    s->side = side;
    add(s, r->value);
}

void
sides_take(struct sides *s, const struct opt_reader *r)
{
    for (; s->taken < r->noperands; s->taken++)
        add(s, r->argv[s->taken]);
}

static bool
file_status(const char *name, struct stat *st)
{
    return (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(name, st)) == 0;
}

static bool
is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return file_status(a, &x) && file_status(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* Without --before and --after. */
static void
check_two(struct sides *s, const struct opt_reader *r, const struct dialect *d, bool gated)
{
    if (s->nruns < 2 || (s->nruns > 2 && !d->more_operands))
        opt_usage(r->program, "two files are needed, not %d", r->noperands);
    s->nruns = 2;
    s->runs[0].side = BEFORE;
    s->runs[1].side = AFTER;
    if (strcmp(s->runs[0].file, "-") == 0 && strcmp(s->runs[1].file, "-") == 0)
        opt_usage(r->program, "only one of the two files can be standard input");
    if (gated && is_same_file(s->runs[0].file, s->runs[1].file))
        opt_usage(r->program, "both operands are the same file, so nothing could have grown");
}

static void
check_named(const struct sides *s, const struct opt_reader *r)
{
    bool given[SIDES] = {false, false};
    for (size_t i = 0; i < s->nruns; i++) {
        const char *file = s->runs[i].file;
        given[s->runs[i].side] = true;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(file, "-") == 0 && strcmp(s->runs[k].file, "-") == 0)
                opt_usage(r->program, "only one of the files can be standard input");
            if (is_same_file(file, s->runs[k].file))
                opt_usage(r->program, "'%s' and '%s' are the same file: each must be another run",
                          s->runs[k].file, file);
        }
    }
    if (!given[BEFORE] || !given[AFTER])
        opt_usage(r->program, "option --%s needs --%s", given[BEFORE] ? "before" : "after",
                  given[BEFORE] ? "after" : "before");
}

void
sides_check(struct sides *s, const struct opt_reader *r, const struct dialect *d, bool gated)
{
    if (s->named)
        check_named(s, r);
    else
        check_two(s, r, d, gated);
}
