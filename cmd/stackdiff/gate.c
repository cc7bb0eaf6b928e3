#include "cmd/stackdiff/gate.h"

#include <stdio.h>

#include "common/base/num.h"

/* With fewer samples than this, a single one is more than a percentage point. */
static const double few = 100;

/* Counts that would be more samples than this probably are periods or times. */
static const double many = 1e7;

enum { TOTAL_TEXT = 512 }; /* the largest double has 309 digits, with commas between them */

/* Arguments for "%s function%s": "3 functions" or "1 function". */
#define FUNCTIONS_ARG(n) NUM_TEXT(n), (n) == 1 ? "" : "s"

void
gate_check_matches(const struct gate *g, const struct comparison *c, struct diag *diag)
{
    bool found[SIDES] = {false, false};
    for (size_t i = 0; i < c->n; i++)
        for (enum side side = BEFORE; side < SIDES; side++)
            found[side] |= c->list[i].count[side] > 0;
    if (!found[BEFORE] && !found[AFTER])
        diag_error(diag, NOWHERE, "no function in either profile matches --function='%s'",
                   g->expression);
    else if (!found[AFTER])
        diag_warn(diag, NULL, (struct place){profiles_name(c->profiles, AFTER), 0},
                  "no function matches --function='%s': was it renamed?", g->expression);
}

void
gate_check_growth(const struct gate *g, const struct comparison *c, struct diag *diag)
{
    struct margins margins = {.candidates = compare_candidates(c, g->max_growth)};
    size_t grown = 0, unsure = 0, first = 0;
    for (size_t i = 0; i < c->n && c->list[i].growth > g->max_growth + points_error; i++) {
        double margin = compare_margin(&margins, &c->list[i]);
        if (c->list[i].growth > margin) {
            /* The name comes last: if a long one makes the message be cut, no number is lost. */
            diag_error(diag, NOWHERE,
                       "grew by %.2f (+/- %.2f) points, from %.2f %% to %.2f %%: %.*s",
                       c->list[i].growth, margin, c->list[i].share[BEFORE], c->list[i].share[AFTER],
                       SPAN_ARG(c->list[i].name));
            grown++;
        } else if (unsure++ == 0) {
            first = i;
        }
    }
    if (unsure > 0)
        diag_note(diag,
                  "%s function%s grew by more than --max-growth=%s, but perhaps by chance: record "
                  "more samples or profiles to be sure; the most by %.2f (+/- %.2f) points: %.*s",
                  FUNCTIONS_ARG(unsure), g->growth_limit, c->list[first].growth,
                  compare_margin(&margins, &c->list[first]), SPAN_ARG(c->list[first].name));
    if (grown > 0)
        diag_error(diag, NOWHERE, "%s function%s grew by more than --max-growth=%s allows",
                   FUNCTIONS_ARG(grown), g->growth_limit);
}

void
gate_check_new(const struct gate *g, const struct comparison *c, struct diag *diag)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct change *change = &c->list[i];
        if (change->count[BEFORE] > 0 || change->count[AFTER] <= 0 ||
            change->growth < g->min_share - points_error ||
            !pattern_matches(g->appeared, change->name))
            continue;
        diag_error(diag, NOWHERE, "new, with %.2f %% of the samples: %.*s", change->share[AFTER],
                   SPAN_ARG(change->name));
        n++;
    }
    if (n > 0)
        diag_error(diag, NOWHERE, "%s function%s appeared that --new='%s' forbids",
                   FUNCTIONS_ARG(n), g->appeared_text);
}

void
gate_check_total(const struct gate *g, const struct comparison *c, struct diag *diag)
{
    double growth, margin;
    compare_totals(c->profiles, c->period, &growth, &margin);
    if (growth <= g->max_total + points_error)
        return;
    if (growth > margin)
        diag_error(diag, NOWHERE,
                   "the total grew by %.2f %% (+/- %.2f), more than --max-total=%s allows", growth,
                   margin, g->total_limit);
    else
        diag_note(diag,
                  "the total grew by %.2f %% (+/- %.2f), more than --max-total=%s, but perhaps by "
                  "chance: record more samples or profiles to be sure",
                  growth, margin, g->total_limit);
}

/* Write "12,345", or "12,345.67" for a number with a fraction. */
static struct span
total_text(char text[static TOTAL_TEXT], double total)
{
    char plain[TOTAL_TEXT * 3 / 4];
    snprintf(plain, sizeof plain, "%.*f", num_is_whole(total) ? 0 : 2, total);
    return num_group(text, span_cstr(plain));
}

void
gate_check_runs(const struct profiles *p, struct diag *diag)
{
    if (p->nruns == SIDES)
        diag_warn(diag, NULL, NOWHERE,
                  "one profile of each side cannot show how much runs differ, so growth by chance "
                  "may be found: 'flamepipe --compare' records several");
}

void
gate_check_samples(const struct comparison *c, bool period_given, struct diag *diag)
{
    const struct profiles *p = c->profiles;
    char text[TOTAL_TEXT];
    for (enum side side = BEFORE; side < SIDES; side++) {
        double total = profiles_total(p, side);
        struct span counts = total_text(text, total);
        struct place at = {profiles_name(p, side), 0};
        if (total / c->period < few)
            diag_warn(diag, NULL, at, "only %.*s count%s in total: too few to mean much",
                      SPAN_ARG(counts), total == 1 ? "" : "s");
        if (!period_given && p->nruns == SIDES && total > many)
            diag_warn(diag, NULL, at,
                      "%.*s counts in total: if they are periods, times or bytes, give --period, "
                      "what one sample counts: without it the margins of error are too small",
                      SPAN_ARG(counts));
    }
}
