#include "cmd/stackfilter/idlethreads.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/interrupt.h"
#include "common/base/num.h"
#include "common/base/pattern.h"
#include "common/base/temporary.h"
#include "common/base/text.h"
#include "common/stack/perftext.h"
#include "common/stack/waitkind.h"

/* Functions that wait for work: of glibc, musl, the kernel, Rust and Go. */
static const char waits[] =
    "epoll_?p?wait|[eE]poll_?[wW]ait|(^|_)accept4?(@|$)|pthread_cond_(timed|clock)?wait|"
    "sem_(timed|clock)?wait|cnd_(timed)?wait|[cC]ondvar.*::wait|Parker.*::park|"
    "std::thread::.*::park|"
    "runtime\\.notet?sleep";

/* Functions that may use the same to wait for a lock, or for what other threads do. The word is in
 * the name itself, not in that of its class. What Java's LockSupport and Object.wait() serve is not seen. */
static const char locks[] =
    "((^|[^bBcC])[lL]ock|[mM]utex|[mM]onitor::[eE]nter|_gil|gvl|[jJ]oin|[bB]arrier|[aA]cquire|"
    "contended|[lL]atch|Unsafe_Park|JVM_MonitorWait)[^:]*$";

enum frame_flags { KNOWN = 1, WAITS = 2, LOCKS = 4, NAMED = 8 };

/* The first reading of the input. */
struct search {
    struct idlethreads *found;
    struct input input;
    struct perftext text;
    struct pattern waits, locks;
    unsigned char *flags; /* by frame number: enum frame_flags; 0: not yet known */
    size_t cap;
};

static unsigned
flags_of(struct search *s, uint32_t frame)
{
    size_t old = s->cap;
    s->flags = mem_grow(s->flags, &s->cap, (size_t)frame + 1, sizeof *s->flags);
    memset(s->flags + old, 0, s->cap - old);
    struct span sym = frametab_frame(&s->text.frames, frame)->sym;
    if (s->flags[frame] == 0)
        s->flags[frame] =
            (unsigned char)(KNOWN | (pattern_matches(&s->waits, sym) ? WAITS : 0) |
                            (pattern_matches(&s->locks, sym) ? LOCKS : 0) |
                            (sym.len > 0 && !span_starts(sym, SPAN("[")) ? NAMED : 0));
    return s->flags[frame];
}

/* Return what the recorder says that the thread does. */
static struct span
state_of(const struct perf_header *h)
{
    return span_trim(h->field[PERF_REST]);
}

static bool
is_wall(const struct perf_header *h)
{
    return span_eq(h->field[PERF_EVENT], SPAN("wall"));
}

/* Return true if the thread sleeps until a signal or what it waits for wakes it. */
static bool
sleeps(const struct sample *sample, struct span leaf)
{
    return is_wall(&sample->header) ? !span_eq(leaf, SPAN("[wait: disk]"))
                                    : span_starts(state_of(&sample->header), SPAN("state S"));
}

/* A thread that has not run is one that no work has come for. */
static bool
is_for_work(struct search *s, const struct sample *sample)
{
    size_t wait = SIZE_MAX;
    struct span leaf =
        sample->nframes > 0 ? frametab_frame(&s->text.frames, sample->frames[0])->sym : SPAN("");
    if (span_eq(leaf, WAIT_UNSEEN))
        return true;
    if (!sleeps(sample, leaf))
        return false;
    for (size_t i = 0; i < sample->nframes; i++) {
        unsigned flags = flags_of(s, sample->frames[i]);
        if ((flags & LOCKS) != 0)
            return false;
        if ((flags & WAITS) != 0)
            wait = i;
    }
    return wait < sample->nframes - 1 && (flags_of(s, sample->frames[wait + 1]) & NAMED) != 0;
}

/* Return true of a wait that is not for a CPU: a thread that waits for that has work. */
static bool
is_wait(const struct perf_header *h)
{
    struct span state = state_of(h);
    return is_wall(h) ? span_eq(state, SPAN("waiting"))
                      : span_eq(h->field[PERF_EVENT], SPAN("off-cpu")) &&
                            !span_starts(state, SPAN("state R"));
}

/* Return what `ids` has of a thread. */
static struct span
id_of(struct idlethreads *t, const struct perf_header *h)
{
    t->key.len = 0;
    text_add(&t->key, h->field[PERF_PID]);
    text_add(&t->key, SPAN("/"));
    text_add(&t->key, h->field[PERF_TID]);
    return text_span(&t->key);
}

static void
add_sample(struct search *s, const struct sample *sample)
{
    struct idlethreads *t = s->found;
    uint64_t time = 0;
    uint32_t number;
    if (!is_wait(&sample->header))
        return;
    num_u64(sample->header.field[PERF_PERIOD], &time);
    if (intern_put(&t->ids, id_of(t, &sample->header), &number)) {
        t->times = mem_grow(t->times, &t->cap, (size_t)number + 1, sizeof *t->times);
        t->times[number] = (struct idlethread){0};
    }
    t->times[number].waited = num_add(t->times[number].waited, time);
    if (is_for_work(s, sample))
        t->times[number].for_work = num_add(t->times[number].for_work, time);
}

static void
read_all(struct search *s)
{
    struct source *source = &s->text.source;
    while (input_next(&s->input))
        for (enum source_item item; (item = source_next(source)) != ITEM_END;)
            if (item == ITEM_SAMPLE)
                add_sample(s, &source->sample);
}

/* Return true if the thread is not the first of its process, as "7/8", and only waited for work. */
static bool
is_idle(const struct idlethreads *t, uint32_t number)
{
    struct span id = intern_text(&t->ids, number);
    size_t slash = span_find(id, '/');
    uint64_t rest = t->times[number].waited - t->times[number].for_work;
    return slash > 0 && !span_eq(span_head(id, slash), span_from(id, slash + 1)) &&
           rest <= t->times[number].waited / 100;
}

static void
report(struct idlethreads *t, struct diag *diag)
{
    enum { SECOND = 1000000 };
    uint64_t all = 0, idle = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < t->ids.count; i++) {
        bool is = is_idle(t, i);
        count += is;
        idle = num_add(idle, is ? t->times[i].waited : 0);
        all = num_add(all, t->times[i].waited);
    }
    t->all = idle == all;
    const char *plural = count == 1 ? "" : "s";
    if (count > 0 && t->all)
        diag_note(diag, "all that waited, %zu thread%s, only waited for work: none is left out",
                  count, plural);
    else if (count > 0)
        diag_note(diag, "left out: %zu thread%s that only waited for work, %.1f s (%.1f %%)", count,
                  plural, (double)idle / SECOND, 100 * (double)idle / (double)all);
}

/* Reading twice */

/* Copy standard input to a temporary file in its place. Return 0 or an errno. */
static int
copy_input(void)
{
    static char block[1 << 16];
    ssize_t n;
    int to = temporary_open();
    bool ok = to >= 0;
    interrupt_hold(STDIN_FILENO);
    while (ok && (n = read(STDIN_FILENO, block, sizeof block)) != 0)
        ok = n > 0 ? temporary_write(to, span_of(block, (size_t)n)) : errno == EINTR;
    ok = ok && dup2(to, STDIN_FILENO) >= 0 && lseek(STDIN_FILENO, 0, SEEK_SET) == 0;
    int error = ok ? 0 : errno;
    interrupt_release();
    if (to >= 0)
        close(to);
    return error;
}

static bool
can_read_twice(const char *name, struct diag *diag)
{
    struct stat st;
    bool standard = strcmp(name, "-") == 0;
    int error = 0;
    if ((standard ? fstat(STDIN_FILENO, &st) : stat(name, &st)) != 0 || S_ISREG(st.st_mode) ||
        S_ISDIR(st.st_mode))
        return true; /* what is wrong is said when it is opened */
    if (standard && (error = copy_input()) == 0)
        return true;
    diag_error(diag, (struct place){standard ? "standard input" : name, 0}, "%s",
               standard ? strerror(error)
                        : "--no-idle-threads reads twice: it takes files and standard input");
    return false;
}

static bool
can_read_all_twice(char **names, size_t count, struct diag *diag)
{
    bool can = count > 0 || can_read_twice("-", diag);
    for (size_t i = 0; i < count && can; i++)
        can = can_read_twice(names[i], diag);
    return can;
}

/* Read the input, and leave standard input at its start. Warnings come at the second reading. */
static int
search_input(struct idlethreads *t, char **names, size_t count, struct diag diag)
{
    char error[PATTERN_ERROR];
    off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    struct search *s = mem_alloc(sizeof *s);
    s->found = t;
    s->flags = NULL;
    s->cap = 0;
    diag.quiet = true;
    pattern_compile(&s->waits, waits, error);
    pattern_compile(&s->locks, locks, error);
    input_start(&s->input, &diag, names, count);
    perftext_init(&s->text, &perf_rules, &s->input.lines);
    read_all(s);
    input_free(&s->input);
    perftext_free(&s->text);
    pattern_free(&s->waits);
    pattern_free(&s->locks);
    free(s->flags);
    free(s);
    if (start >= 0)
        lseek(STDIN_FILENO, start, SEEK_SET);
    return diag.status;
}

bool
idlethreads_find(struct idlethreads *t, char **names, size_t count, struct diag *diag)
{
    if (!can_read_all_twice(names, count, diag))
        return false;
    if (search_input(t, names, count, *diag) != 0)
        diag->status = 1;
    else if (t->ids.count == 0)
        diag_warn(diag, NULL, NOWHERE,
                  "no waits as stackrecord --wall and --off-cpu print them: no thread is left out");
    else
        report(t, diag);
    return diag->status == 0;
}

bool
idlethreads_has(struct idlethreads *t, const struct perf_header *h)
{
    uint32_t number = is_wait(h) && !t->all ? intern_find(&t->ids, id_of(t, h)) : INTERN_NONE;
    return number != INTERN_NONE && is_idle(t, number);
}

void
idlethreads_free(struct idlethreads *t)
{
    intern_free(&t->ids);
    free(t->times);
    free(t->key.ptr);
}
