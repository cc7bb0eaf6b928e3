#include "common/stack/frames/checkadvice.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/base/num.h"
#include "common/stack/frames/frameplace.h"
#include "common/stack/model/eventname.h"

/* A rule writes its advice, or returns false if it does not apply. */
typedef bool rule(const struct check *c, char text[static CHECKADVICE_TEXT]);

/* Limit of a name in an advice; longer ones are cut. */
enum { NAME_BYTES_MAX = 300 };
#define NAME_ARG(s) ((s).len < NAME_BYTES_MAX ? (int)(s).len : NAME_BYTES_MAX), (s).ptr

static bool write_advice(char text[static CHECKADVICE_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool
write_advice(char text[static CHECKADVICE_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, CHECKADVICE_TEXT, format, args);
    va_end(args);
    return true;
}

/* Return true if the part is at least 1 / divisor of the whole. Every recording has a hundredth of
 * nameless frames, since some library always lacks symbols; from a tenth on, a picture misleads. */
static bool
is_share(uint64_t part, uint64_t whole, uint64_t divisor)
{
    return part > 0 && part >= whole / divisor + (whole % divisor > 0);
}

static struct span
first_event(const struct check *c)
{
    return c->events.names.count > 0 ? intern_text(&c->events.names, 0) : SPAN("");
}

/* Return true for recordings of stackrecord --wall or --off-cpu, which takes only the stacks that
 * it is allowed to. */
static bool
has_waits(const struct check *c)
{
    return span_eq(first_event(c), SPAN("wall")) || span_eq(first_event(c), SPAN("off-cpu"));
}

static bool
no_callchains(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    if (c->samples == 0 || c->chains > 0 || has_waits(c))
        return false;
    return write_advice(text, c->empty == c->samples && !c->recording
                                  ? "no callchains: record with -g, and print them: perf script "
                                    "-F +ip,+sym,+dso"
                                  : "no callchains: record with -g");
}

/* Return the runtime with the most nameless JIT frames. If frames are of an unknown runtime, and
 * the recording has only one runtime, return that. */
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

/* Advise on JIT frames without a name. A good recording has a few of them, too: if a name read from
 * memory is in doubt, it is left out. */
static bool
no_jit_names(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    const uint64_t nameless = c->nameless_jit_all - c->nameless_named;
    if (!is_share(nameless, c->frames, 100))
        return false;
    if (c->incomplete_map != NULL)
        return write_advice(text,
                            "JIT frames without a name are not in %s: was it copied before the "
                            "recording ended?",
                            c->incomplete_map);
    if (!is_share(nameless, c->named_jit, 20))
        return false;
    if (c->named_jit > 0 && c->nameless_jit[worst_runtime(c)] < c->named_jit)
        return write_advice(
            text,
            "JIT frames without a name, while others have one: stackrecord leaves out names in "
            "doubt, most in its first second and on a busy machine; print a recording of perf "
            "while the perf maps are there; for other processes, %s",
            runtime_remedy(worst_runtime(c)));
    return write_advice(text,
                        "JIT frames without a name: %s; print the recording while its perf map is "
                        "there",
                        runtime_remedy(worst_runtime(c)));
}

static bool
doubtful_names(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return is_share(c->doubtful, c->samples, 100) &&
           write_advice(text,
                        "%s of %s samples are in JIT-compiled code at addresses that had several "
                        "functions, and show the newest: record with stackrecord, or with node "
                        "--perf-prof and perf record -k mono",
                        NUM_TEXT(c->doubtful), NUM_TEXT(c->samples));
}

/* Advise on interpreted functions without a name. Some, such as those of node's start-up snapshot,
 * have none even in a good recording; a recording is bad if no interpreted function has a name. */
static bool
interpreted(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return !c->has_interpreted && is_share(c->interpreted, c->samples, 10) &&
           write_advice(text, "interpreted JavaScript functions have no names "
                              "(InterpreterEntryTrampoline): stackrecord and flamepipe read them "
                              "from the memory of a node that writes no perf map");
}

/* Advise on an interpreter, other than V8's, that hides the script's functions in most samples. */
static bool
hidden_functions(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    enum runtime most = RUNTIME_UNKNOWN;
    for (int i = 0; i < RUNTIMES; i++)
        if (c->hidden[i] > c->hidden[most])
            most = (enum runtime)i;
    return is_share(c->hidden[most], c->samples, 10) &&
           write_advice(text,
                        "%s of %s samples are in the interpreter of %.*s, which hides the "
                        "functions that it runs: %s; %s",
                        NUM_TEXT(c->hidden[most]), NUM_TEXT(c->samples),
                        SPAN_ARG(runtime_name(most)), runtime_remedy(most),
                        runtime_other_profiler(most));
}

/* Advise on the kernel's names. Modules and BPF programs may lack names even if the rest of the
 * kernel has them. */
static bool
no_kernel_names(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return c->nameless_kernel > c->named_kernel && is_share(c->nameless_kernel, c->frames, 100) &&
           write_advice(text,
                        "kernel frames without a name: print them where they were recorded, as "
                        "root or with kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1 "
                        "(sysctl), or give the names of that kernel (--kallsyms, --vmlinux)");
}

/* Prefixes of OpenSSL's functions in assembly. */
static const struct span openssl[] = {
    SPAN("sha1_block_"),    SPAN("sha256_block_"), SPAN("sha512_block_"), SPAN("md5_block_"),
    SPAN("aesni_"),         SPAN("vpaes_"),        SPAN("gcm_ghash_"),    SPAN("bn_mul"),
    SPAN("bn_sqr"),         SPAN("bn_power5"),     SPAN("rsaz_"),         SPAN("ecp_nistz256_"),
    SPAN("ChaCha20_"),      SPAN("poly1305_"),     SPAN("KeccakF1600"),   SPAN("x25519_fe"),
    SPAN("__ecp_nistz256"), SPAN("__bn_"),         SPAN("_aesni_"),       SPAN("_vpaes_"),
};

/* Return true if JIT-compiled code may be Java's, which keeps frame pointers only with
 * -XX:+PreserveFramePointer. V8 always keeps them; PHP and LuaJIT never do. Python and Perl do not
 * count, since in a recording of a whole machine they may run beside java. */
static bool
may_be_java(const struct check *c)
{
    bool others = false;
    for (int i = RUNTIME_UNKNOWN + 1; i < RUNTIMES; i++)
        others |= c->has_runtime[i] && i != RUNTIME_PYTHON && i != RUNTIME_PERL;
    return !others || c->has_runtime[RUNTIME_JAVA];
}

/* Return why stacks end there, or what to do about it. */
static const char *
missing_callers(const struct check *c)
{
    const struct roots_result *r = &c->broken;
    struct frame end = {.dso = r->dso};
    if (span_starts_any(r->symbol, openssl, sizeof openssl / sizeof *openssl))
        return "this is assembly code of OpenSSL, which keeps no frame pointers: record with "
               "--call-graph dwarf, or with stackrecord";
    if (may_be_java(c) && frame_is_anonymous(&end) && !span_eq(r->dso, SPAN("[unknown]")))
        return "this is JIT-compiled code, for which java keeps frame pointers with "
               "-XX:+PreserveFramePointer";
    return "record with --call-graph dwarf, or with stackrecord";
}

/* If the recording limited the depth of stacks, all stacks have the same depth. roots_judge can
 * tell them from broken ones if that is at least eight frames. */
static bool
broken_stacks(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    enum { FEW = 8 };
    const struct roots_result *r = &c->broken;
    struct span at = r->symbol.len > 0 ? r->symbol : r->dso;
    if (!is_share(r->broken, r->stacks, 20))
        return false;
    return write_advice(
        text,
        "%s of %s stacks do not reach a root, most often those of %.*s that "
        "end in %.*s: %s%s",
        NUM_TEXT(r->broken), NUM_TEXT(r->stacks),
        NAME_ARG(intern_text(&c->comms.names, r->command)), NAME_ARG(at), missing_callers(c),
        c->roots.deepest < FEW ? ", unless the recording limited the depth of stacks (--max-depth)"
                               : "");
}

static bool
one_frame(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return c->chains > 0 && c->roots.deepest == 1 && !has_waits(c) &&
           write_advice(text, "no stack has more than one frame: record with -g, and without a "
                              "limit of the depth; if you did, record with --call-graph dwarf, or "
                              "with stackrecord");
}

/* Return true if the DSO is a file, which can have symbols. */
static bool
is_file(struct span dso)
{
    struct frame f = {.dso = dso};
    return dso.len > 0 && dso.ptr[0] == '/' && !frame_is_anonymous(&f);
}

/* Advise on the file with the most nameless frames. */
static bool
no_symbols(const struct check *c, char text[static CHECKADVICE_TEXT])
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
cut_stacks(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return is_share(c->cut, c->chains, 100) &&
           write_advice(text,
                        "%s of %s stacks are cut at 127 frames: raise "
                        "kernel.perf_event_max_stack (sysctl) before recording",
                        NUM_TEXT(c->cut), NUM_TEXT(c->chains));
}

/* Return the DSO with the most stacks that have this mark. Set *n to the number of all of them. */
static struct span
worst_mark(const struct tally *t, uint64_t *n)
{
    uint64_t most = 0;
    struct span worst = SPAN("");
    *n = 0;
    for (uint32_t i = 0; i < t->names.count; i++) {
        *n += t->rows[i].count;
        if (t->rows[i].count > most) {
            most = t->rows[i].count;
            worst = intern_text(&t->names, i);
        }
    }
    return worst;
}

struct span
checkadvice_cut(const struct check *c, uint64_t *n)
{
    struct span worst = worst_mark(&c->marks[0], n);
    *n -= *n < c->lbr_cut ? *n : c->lbr_cut;
    return worst;
}

struct span
checkadvice_lost(const struct check *c, uint64_t *n)
{
    return worst_mark(&c->marks[1], n);
}

static bool
cut_calls(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return is_share(c->lbr_cut, c->chains, 100) &&
           write_advice(text,
                        "%s of %s stacks are cut, since the processor keeps no more calls "
                        "(--call-graph lbr): record with --call-graph dwarf, or with stackrecord",
                        NUM_TEXT(c->lbr_cut), NUM_TEXT(c->chains));
}

static bool
is_go(const struct check *c, struct span dso)
{
    return intern_find(&c->go.names, dso) != INTERN_NONE;
}

static bool
short_copies(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    uint64_t n;
    struct span worst = checkadvice_cut(c, &n);
    return is_share(n, c->chains, 100) &&
           write_advice(text,
                        "%s of %s stacks are cut, since the copy of the stack was too short, "
                        "most often in %.*s: record a larger one (stackrecord or perf record, "
                        "with --call-graph dwarf,64512)%s",
                        NUM_TEXT(n), NUM_TEXT(c->chains), NAME_ARG(worst),
                        is_go(c, worst)
                            ? "; or, since parts of Go's runtime run on other stacks, which are "
                              "not copied, record by frame pointers: stackrecord or perf record, "
                              "with --call-graph fp"
                            : "");
}

/* Return what helps if stacks are lost in the DSO. */
static const char *
help_with_lost(const struct check *c, struct span dso)
{
    struct frame f = {.dso = dso};
    if (span_eq(dso, SPAN("[unknown]")))
        return "no mapping of the recording is there";
    if (frame_is_anonymous(&f))
        return may_be_java(c) ? "this is JIT-compiled code, which needs frame pointers (java "
                                "-XX:+PreserveFramePointer)"
                              : "this is JIT-compiled code, which has no frame pointer there";
    if (is_go(c, dso))
        return "it is a Go program, in which that is code of C or of assembly: link it with "
               "-ldflags=-linkmode=external, which keeps the unwinding tables of C code; Go's own "
               "code "
               "needs nothing";
    return "it says nothing of how its code keeps the stack: install its debug package, or build "
           "it with -fasynchronous-unwind-tables or -fno-omit-frame-pointer; if it is not here, "
           "give a folder with the recorded machine's files as --symfs";
}

static bool
lost_stacks(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    uint64_t n;
    struct span worst = checkadvice_lost(c, &n);
    return is_share(n, c->chains, 100) &&
           write_advice(text, "%s of %s stacks are lost, most often in %.*s: %s", NUM_TEXT(n),
                        NUM_TEXT(c->chains), NAME_ARG(worst), help_with_lost(c, worst));
}

static bool
cut_names(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    size_t names = c->cut_names.names.count;
    return names > 0 &&
           write_advice(text,
                        "%s name%s cut, at 512 bytes or by V8 at 4,096; functions with "
                        "the same name up to there are shown as one",
                        NUM_TEXT(names), names == 1 ? " seems" : "s seem");
}

static bool
lost(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return c->lost_records > 0 &&
           write_advice(text,
                        "%s lost events, beside %s samples: record with a lower -F, or with "
                        "larger buffers (perf record -m, stackrecord --memory)",
                        NUM_TEXT(c->lost), NUM_TEXT(c->samples));
}

static bool
several_events(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    bool several = false;
    for (uint32_t i = 1; i < c->events.names.count; i++)
        several |= !eventname_is_core_variant(intern_text(&c->events.names, i), first_event(c));
    return several &&
           write_advice(text,
                        "several events: stackcollapse takes the first one, %.*s, unless --event "
                        "names others",
                        NAME_ARG(first_event(c)));
}

static bool
untimed_switches(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    struct span event = first_event(c);
    return c->switches &&
           (span_starts(event, SPAN("context-switches")) ||
            span_starts(event, SPAN("sched:sched_switch"))) &&
           write_advice(text,
                        "a sample of %.*s says that a thread stopped running, not for how long: "
                        "--wall or --off-cpu makes samples of the time",
                        NAME_ARG(event));
}

static bool
no_times(const struct check *c, char text[static CHECKADVICE_TEXT])
{
    return c->no_time > 0 &&
           write_advice(text,
                        "%s of %s samples have no time, so that --time and --range leave them "
                        "out: %s",
                        NUM_TEXT(c->no_time), NUM_TEXT(c->samples),
                        c->recording ? "record them with perf record --timestamp"
                                     : "perf-script -F +time perf.data prints times");
}

static rule *const rules[] = {
    no_callchains, no_jit_names, doubtful_names, interpreted,    hidden_functions, no_kernel_names,
    broken_stacks, one_frame,    no_symbols,     cut_stacks,     cut_calls,        short_copies,
    lost_stacks,   cut_names,    lost,           several_events, untimed_switches, no_times,
};

bool
checkadvice_next(const struct check *c, size_t *at, char text[static CHECKADVICE_TEXT])
{
    while (*at < sizeof rules / sizeof *rules)
        if (rules[(*at)++](c, text))
            return true;
    return false;
}
