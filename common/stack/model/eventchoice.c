#include "common/stack/model/eventchoice.h"

#include <stdio.h>

#include "common/base/num.h"
#include "common/stack/model/eventname.h"

/* Return true if the event is the chosen one, perhaps on another kind of core. */
static bool
is_taken(const struct eventchoice *e, struct span event)
{
    if (event.len == 0)
        return !e->asked || e->lenient;
    return span_eq(event, e->only) ||
           (!e->asked && !e->one_kind && eventname_is_core_variant(event, e->only));
}

bool
eventchoice_take(struct eventchoice *e, struct span event)
{
    if (!e->takes_turns && eventname_is_turn(event))
        return false;
    if (e->list != NULL)
        return eventlist_matches(e->list, event);
    if (e->only.ptr == NULL && event.len > 0)
        e->only = arena_copy(&e->arena, event);
    if (is_taken(e, event)) {
        e->taken++;
        return true;
    }
    tally_add(&e->left_out, event, 1, 0);
    return false;
}

/* Return the number of samples of events that match the list, or of those that do not. */
static uint64_t
count_list(const struct eventlist *l, bool matches)
{
    uint64_t n = 0;
    for (size_t i = 0; i < l->events.names.count; i++)
        n += l->matches[i] == matches ? l->events.rows[i].count : 0;
    return n;
}

static void
report_left_out(struct diag *diag, uint64_t n, uint64_t all, const char *advice)
{
    diag_note(diag, "%s of %s samples are of other events and left out%s", NUM_TEXT(n),
              NUM_TEXT(all), advice);
}

static void
report_list(const struct eventlist *l, struct diag *diag)
{
    char text[EVENTLIST_TEXT];
    uint64_t taken = count_list(l, true), others = count_list(l, false);
    if (others > 0 && taken > 0) {
        report_left_out(diag, others, taken + others, "");
    } else if (others > 0) {
        eventlist_explain(l, text);
        diag_error(diag, NOWHERE, "%s", text);
    }
}

void
eventchoice_report(const struct eventchoice *e, struct diag *diag)
{
    char others[TALLY_TEXT], advice[TALLY_TEXT + 64] = "";
    uint64_t n = 0;
    if (e->list != NULL) {
        report_list(e->list, diag);
        return;
    }
    for (size_t i = 0; i < e->left_out.names.count; i++)
        n += e->left_out.rows[i].count;
    tally_describe(&e->left_out, others);
    if (!e->asked)
        snprintf(advice, sizeof advice, " (--event=LIST %s others, --event=all every one): %s",
                 e->verb, others);
    if (n > 0 && e->taken == 0)
        diag_error(diag, NOWHERE, "no sample of '%.*s'; the input has: %s", SPAN_ARG(e->only),
                   others);
    else if (n > 0)
        report_left_out(diag, n, e->taken + n, advice);
}

void
eventchoice_free(struct eventchoice *e)
{
    tally_free(&e->left_out);
    arena_free(&e->arena);
}
