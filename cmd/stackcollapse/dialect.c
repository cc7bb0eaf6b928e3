#include "cmd/stackcollapse/dialect.h"

#include "common/stack/dso.h"
#include "common/stack/framekind.h"
#include "common/stack/v8name.h"
#include "cmd/stackcollapse/perl.h"

/* perf-map-agent and Compiler.perfmap write inlined methods as "A::b->C::d"; in C++ ("operator->")
 * and in JavaScript and regular expressions the two characters mean something else. */
static bool
is_java_inline(struct span sym, struct span dso)
{
    struct v8name name;
    size_t arrow = span_search(sym, SPAN("->"));
    return arrow != SPAN_NONE && arrow > 0 && dso_is_jit(dso) && !v8name_parse(sym, &name) &&
           frame_kind(sym, dso) != KIND_REGEXP;
}

static bool
always(struct span sym, struct span dso)
{
    (void)sym;
    (void)dso;
    return true;
}

const struct dialect dialect_native = {
    .tidy = TIDY_BRACKETS,
    .weight = WEIGHT_BY_EVENT,
    .rules = &perf_rules,
    .rules_srcline = &perf_rules,
    .is_kernel = dso_is_kernel,
    .is_jit = dso_is_jit,
    .is_java_inline = is_java_inline,
    .keep_quotes = true,
    .reports_oddities = true,
};

const struct dialect dialect_perl = {
    .tidy = TIDY_PERL,
    .weight = WEIGHT_PERIOD,
    .rules = &perl_rules,
    .rules_srcline = &perl_rules_srcline,
    .is_kernel = perl_is_kernel,
    .is_jit = perl_is_jit,
    .is_java_inline = always,
    .skip_parenthesis = true,
    .keep_empty = true,
    .tidy_unknown = true,
    .java_by_comm = true,
    .zero_tid_is_missing = true,
    .raw_semicolons = true,
    .raw_inlined = true,
    .lenient_filter = true,
    .silent_strays = true,
};
