#include "cmd/stackcollapse/build/dialect.h"

#include "cmd/stackcollapse/script/perl.h"

static bool
always(struct span sym, struct span dso)
{
    (void)sym;
    (void)dso;
    return true;
}

static const struct foldname_dialect perl_names = {
    .is_kernel = perl_is_kernel,
    .is_jit = perl_is_jit,
    .is_java_inline = always,
    .skip_parenthesis = true,
    .keep_empty = true,
    .tidy_unknown = true,
    .java_by_comm = true,
    .zero_tid_is_missing = true,
    .raw_semicolons = true,
};

const struct dialect dialect_native = {
    .names = &foldname_native,
    .tidy = TIDY_BRACKETS,
    .weight = WEIGHT_BY_EVENT,
    .rules = &perf_rules,
    .rules_srcline = &perf_rules,
    .reports_oddities = true,
};

const struct dialect dialect_perl = {
    .names = &perl_names,
    .tidy = TIDY_PERL,
    .weight = WEIGHT_PERIOD,
    .rules = &perl_rules,
    .rules_srcline = &perl_rules_srcline,
    .raw_inlined = true,
    .lenient_filter = true,
    .silent_strays = true,
};
