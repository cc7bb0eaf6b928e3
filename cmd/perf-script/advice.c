#include "cmd/perf-script/advice.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/base/num.h"
#include "common/stack/frameplace.h"

/* Each rule writes its advice, or returns false if it does not apply. */
typedef bool rule(const struct check *c, char text[static ADVICE_TEXT]);

/* A name in an advice: longer ones are cut. */
enum { NAME_MOST = 300 };
#define NAME_ARG(s) ((s).len < NAME_MOST ? (int)(s).len : NAME_MOST), (s).ptr

static bool write_advice(char text[static ADVICE_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool
write_advice(char text[static ADVICE_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, ADVICE_TEXT, format, args);
    va_end(args);
    return true;
}

/* Every recording has a hundredth of stray frames, since some library always lacks symbols; from a
 * tenth on a picture misleads. */
static bool
is_share(uint64_t part, uint64_t whole, uint64_t divisor)
{
    return part > 0 && part >= whole / divisor + (whole % divisor > 0);
}

static bool
no_callchains(const struct check *c, char text[static ADVICE_TEXT])
{
    if (c->samples == 0 || c->chains > 0)
        return false;
    return write_advice(text, c->stacks > 0
                                  ? "no callchains: perf script --no-inline prints those of a "
                                    "recording with --call-graph dwarf, or record with -g"
                              : c->empty == c->samples && !c->recording
                                  ? "no callchains: record with -g, and print them: perf script "
                                    "-F +ip,+sym,+dso"
                                  : "no callchains: record with -g");
}

/* The runtime with the most JIT frames without a name. Frames of no known runtime are taken for the
 * only one that is there, if there is only one. */
static enum runtime
worst_runtime(const struct check *c)
{
    enum runtime worst = RUNTIME_UNKNOWN, only = RUNTIME_UNKNOWN;
    int n = 0;
    for (int i = 0; i < RUNTIMES; i++) {
        if (c->nameless_jit[i] > c->nameless_jit[worst])
            worst = (enum runtime)i;
        if (i != RUNTIME_UNKNOWN && c->has_runtime[i]) {
            only = (enum runtime)i;
            n++;
        }
    }
    return worst == RUNTIME_UNKNOWN && n == 1 ? only : worst;
}

static bool
no_jit_names(const struct check *c, char text[static ADVICE_TEXT])
{
    if (!is_share(c->nameless_jit_all, c->frames, 100))
        return false;
    if (c->incomplete_map != NULL)
        return write_advice(text,
                            "JIT frames without a name are not in %s: was it copied before the "
                            "recording ended?",
                            c->incomplete_map);
    if (c->named_jit > 0 && c->nameless_jit[worst_runtime(c)] < c->named_jit)
        return write_advice(text,
                            "JIT frames without a name, while others have one: print the "
                            "recording while the perf maps are there; for other processes, %s",
                            runtime_advice(worst_runtime(c)));
    return write_advice(text,
                        "JIT frames without a name: %s; print the recording while its perf map is "
                        "there",
                        runtime_advice(worst_runtime(c)));
}

/* Functions of node's start-up snapshot have no name of their own even with the option. That some
 * interpreted function has one shows that the option was given. */
static bool
interpreted(const struct check *c, char text[static ADVICE_TEXT])
{
    return !c->has_interpreted && is_share(c->interpreted, c->samples, 10) &&
           write_advice(text, "interpreted JavaScript functions are one frame, "
                              "InterpreterEntryTrampoline: start node with "
                              "--interpreted-frames-native-stack, unless you did");
}

/* Modules and BPF programs may have no names where the others have. */
static bool
no_kernel_names(const struct check *c, char text[static ADVICE_TEXT])
{
    return c->nameless_kernel > c->named_kernel && is_share(c->nameless_kernel, c->frames, 100) &&
           write_advice(text,
                        "kernel frames without a name: print them where they were recorded, as "
                        "root or with kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1 "
                        "(sysctl), or give the names of that kernel (--kallsyms, --vmlinux)");
}

/* Beginnings of the names of OpenSSL's functions in assembly. */
static const struct span openssl[] = {
    SPAN("sha1_block_"),    SPAN("sha256_block_"), SPAN("sha512_block_"), SPAN("md5_block_"),
    SPAN("aesni_"),         SPAN("vpaes_"),        SPAN("gcm_ghash_"),    SPAN("bn_mul"),
    SPAN("bn_sqr"),         SPAN("bn_power5"),     SPAN("rsaz_"),         SPAN("ecp_nistz256_"),
    SPAN("ChaCha20_"),      SPAN("poly1305_"),     SPAN("KeccakF1600"),   SPAN("x25519_fe"),
    SPAN("__ecp_nistz256"), SPAN("__bn_"),         SPAN("_aesni_"),       SPAN("_vpaes_"),
};

/* Why stacks end there, or what to do about it. */
static const char *
missing_callers(const struct check *c)
{
    const struct roots_result *r = &c->broken;
    struct frame end = {.dso = r->dso};
    bool java = !c->has_runtime[RUNTIME_NODE] || c->has_runtime[RUNTIME_JAVA];
    if (span_starts_any(r->symbol, openssl, sizeof openssl / sizeof *openssl))
        return "this is assembly code of OpenSSL, which keeps no frame pointers however it is "
               "built, so that its callers are missing";
    if (java && frame_is_anonymous(&end) && !span_eq(r->dso, SPAN("[unknown]")))
        return "this is JIT-compiled code, for which java keeps frame pointers with "
               "-XX:+PreserveFramePointer";
    return "build the program and its libraries with -fno-omit-frame-pointer, or record with "
           "--call-graph dwarf,65528 and print with perf script --no-inline";
}

/* A recording with a limit of the depth has stacks that are all as deep, which roots_judge knows
 * from broken ones where they have eight frames or more. */
static bool
broken_stacks(const struct check *c, char text[static ADVICE_TEXT])
{
    enum { FEW = 8 };
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    const struct roots_result *r = &c->broken;
    struct span n = num_commas(part, r->broken), of = num_commas(whole, r->stacks);
    struct span at = r->symbol.len > 0 ? r->symbol : r->dso;
    if (!is_share(r->broken, r->stacks, 20))
        return false;
    return write_advice(
        text,
        "%.*s of %.*s stacks do not reach a root, most often those of %.*s that "
        "end in %.*s: %s%s",
        SPAN_ARG(n), SPAN_ARG(of), NAME_ARG(intern_text(&c->comms.names, r->command)), NAME_ARG(at),
        missing_callers(c),
        c->roots.deepest < FEW ? ", unless the recording limited the depth of stacks (--max-depth)"
                               : "");
}

static bool
one_frame(const struct check *c, char text[static ADVICE_TEXT])
{
    return c->chains > 0 && c->roots.deepest == 1 &&
           write_advice(text, "no stack has more than one frame: record with -g, and without a "
                              "limit of the depth; if you did, build with "
                              "-fno-omit-frame-pointer, or record with --call-graph dwarf and "
                              "print with perf script --no-inline");
}

/* The DSO is a file, and so can have symbols. */
static bool
is_file(struct span dso)
{
    struct frame f = {.dso = dso};
    return dso.len > 0 && dso.ptr[0] == '/' && !frame_is_anonymous(&f);
}

/* The file with the most frames without a name. */
static bool
no_symbols(const struct check *c, char text[static ADVICE_TEXT])
{
    struct span worst = {"", 0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->dsos.names.count; i++) {
        struct span dso = intern_text(&c->dsos.names, i);
        if (is_file(dso) && c->dsos.rows[i].sum > most) {
            most = c->dsos.rows[i].sum;
            worst = dso;
        }
    }
    return is_share(most, c->frames, 100) &&
           write_advice(text, "frames without a name in %.*s: %s", NAME_ARG(worst),
                        span_ends(worst, SPAN("(deleted)"))
                            ? "the file was gone when they were looked up"
                            : "install its debug symbols, or do not strip it");
}

static bool
cut_stacks(const struct check *c, char text[static ADVICE_TEXT])
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    return is_share(c->cut, c->chains, 100) &&
           write_advice(text,
                        "%.*s of %.*s stacks are cut at 127 frames: raise "
                        "kernel.perf_event_max_stack (sysctl) before recording",
                        SPAN_ARG(num_commas(part, c->cut)), SPAN_ARG(num_commas(whole, c->chains)));
}

static bool
cut_names(const struct check *c, char text[static ADVICE_TEXT])
{
    char digits[NUM_COMMAS];
    struct span n = num_commas(digits, c->cut_names);
    return c->cut_names > 0 &&
           write_advice(text,
                        "%.*s name%s cut, at 512 bytes or by V8 at 4,096; functions with "
                        "the same name up to there are shown as one",
                        SPAN_ARG(n), c->cut_names == 1 ? " seems" : "s seem");
}

static bool
lost(const struct check *c, char text[static ADVICE_TEXT])
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    return c->lost_records > 0 &&
           write_advice(text,
                        "%.*s lost events, beside %.*s samples: record with a lower -F, or with "
                        "larger buffers (perf record -m, stackrecord --memory)",
                        SPAN_ARG(num_commas(part, c->lost)),
                        SPAN_ARG(num_commas(whole, c->samples)));
}

static bool
several_events(const struct check *c, char text[static ADVICE_TEXT])
{
    struct span first = c->events.names.count > 0 ? intern_text(&c->events.names, 0) : SPAN("");
    return c->events.names.count > 1 &&
           write_advice(text,
                        "several events: stackcollapse takes the first one, %.*s, unless --event "
                        "names others",
                        NAME_ARG(first));
}

static bool
no_times(const struct check *c, char text[static ADVICE_TEXT])
{
    char part[NUM_COMMAS], whole[NUM_COMMAS];
    return c->no_time > 0 &&
           write_advice(text,
                        "%.*s of %.*s samples have no time, so that --time and --range leave them "
                        "out: %s",
                        SPAN_ARG(num_commas(part, c->no_time)),
                        SPAN_ARG(num_commas(whole, c->samples)),
                        c->recording ? "record them with perf record --timestamp"
                                     : "perf-script -F +time perf.data prints times");
}

static rule *const rules[] = {
    no_callchains, no_jit_names, interpreted, no_kernel_names, broken_stacks, one_frame, no_symbols,
    cut_stacks,    cut_names,    lost,        several_events,  no_times,
};

bool
advice_next(const struct check *c, size_t *at, char text[static ADVICE_TEXT])
{
    while (*at < sizeof rules / sizeof *rules)
        if (rules[(*at)++](c, text))
            return true;
    return false;
}
