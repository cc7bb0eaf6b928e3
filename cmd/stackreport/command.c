#include "cmd/stackreport/command.h"

/* Return true for the functions that the stacks of C and C++ begin with. */
static bool
starts_thread(struct span name)
{
    static const struct span starts[] = {
        SPAN("main"),   SPAN("_start"),   SPAN("clone"),
        SPAN("clone3"), SPAN("__clone3"), SPAN("start_thread"),
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (span_eq(name, starts[i]))
            return true;
    return false;
}

static void
look(struct commands *c, const struct counter *counter, uint32_t name)
{
    struct span text = profile_name_text(counter->groups.names, name);
    c->last = name + 1;
    c->other |= !starts_thread(text);
    c->matches |= counter->function != NULL && pattern_matches(counter->function, text);
}

void
commands_take(struct commands *c, const struct counter *counter, const uint32_t *names, size_t n,
              struct decimal count)
{
    if (n > 0 && names[0] + 1 != c->last) /* the lines are sorted: most have the last command */
        look(c, counter, names[0]);
    if (n <= 1)
        c->alone = decimal_add(c->alone, count);
}

static bool
has_function(const struct counter *counter, struct span name)
{
    for (uint32_t i = 0; i < group_count(&counter->groups); i++)
        if (span_eq(group_text(&counter->groups, i), name))
            return true;
    return false;
}

void
commands_report(const struct commands *c, const struct counter *counter, struct diag *diag)
{
    static const double much = 10; /* percent */
    double all = decimal_double(counter->all);
    double alone = all > 0 ? 100 * decimal_double(c->alone) / all : 0;
    if (alone >= much)
        diag_note(diag,
                  "%.2f %% are stacks of one frame, which is taken for a command: if it is a "
                  "function, give --no-comm",
                  alone);
    else if (c->last != 0 && !c->other && !has_function(counter, SPAN("main")))
        diag_note(diag, "the first frames of all stacks, such as main, are taken for commands: if "
                        "they are functions, give --no-comm");
}
