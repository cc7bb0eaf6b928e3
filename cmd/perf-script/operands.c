#include "cmd/perf-script/operands.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/perf-script/window.h"
#include "common/base/out.h"
#include "common/base/pipe.h"
#include "common/base/temporary.h"
#include "common/event/recording.h"
#include "common/stack/text/perftext.h"

static bool
is_standard(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* Create a temporary file. Return -1, after a message, if that fails. */
static int
open_temporary(struct diag *diag, const char *what)
{
    int fd = temporary_open();
    if (fd < 0)
        diag_error(diag, (struct place){temporary_folder(), 0},
                   "%s: %s needs a temporary file; TMPDIR names its directory", strerror(errno),
                   what);
    return fd;
}

/* Return a name for the copy in the message that it cannot be written. */
static const char *
copy_label(struct arena *arena)
{
    static const char format[] = "temporary file in %s (TMPDIR names another directory)";
    size_t size = strlen(temporary_folder()) + sizeof format;
    char *label = arena_text(arena, size);
    snprintf(label, size, format, temporary_folder());
    return label;
}

/* Copy `start` and the rest of fd to a temporary file. Return its descriptor, at the file's end, or
 * -1 after a message. `what` names the reason for the copy in messages. */
static int
copy_rest(struct diag *diag, struct arena *arena, struct span start, int fd, const char *label,
          const char *what)
{
    struct out *out = arena_alloc(arena, sizeof *out);
    ssize_t got;
    int copy = open_temporary(diag, what);
    if (copy < 0)
        return -1;
    out_open(out, copy, copy_label(arena));
    out_span(out, start);
    do {
        char block[OUT_SIZE];
        got = read(fd, block, sizeof block);
        if (got > 0)
            out_write(out, block, (size_t)got);
    } while (got > 0 || (got < 0 && pipe_retry(fd, POLLIN)));
    if (got < 0)
        diag_error(diag, (struct place){label, 0}, "%s", strerror(errno));
    out_flush(out);
    return copy;
}

/* Copy the rest of the open file. Return a name that opens the copy, or NULL after a message. */
static char *
spool(struct input *in, struct arena *arena)
{
    struct lines *l = &in->lines;
    int copy =
        copy_rest(in->diag, arena, lines_buffered(l), l->fd, in->name, "a percent of --time");
    if (copy < 0)
        return NULL;
    input_unpacked(in);
    char *name = arena_text(arena, 32);
    snprintf(name, 32, "/dev/fd/%d", copy);
    return name;
}

/* Return true if everybody who opens the file reads it from its start. */
static bool
is_reopenable(const char *name)
{
    struct stat st;
    if (is_standard(name))
        return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
               lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Return a name by which the operand can be opened twice, and set *label to its name for messages.
 * Return NULL, after a message, if that fails. */
static char *
reopenable(struct diag *diag, struct arena *arena, char *name, char **label)
{
    struct input in;
    bool twice = is_reopenable(name);
    *label = is_standard(name) ? "standard input" : name;
    input_start(&in, diag, &name, 1);
    in.takes_recordings = true;
    if (!input_next(&in) || in.lines.error != 0)
        name = NULL;
    else if (!twice || in.packed != NULL)
        name = spool(&in, arena);
    else if (is_standard(name))
        name = "/dev/fd/0";
    input_free(&in);
    return name;
}

struct operands
operands_reopenable(struct diag *diag, struct arena *arena, char **names, size_t count)
{
    static char *standard_input[] = {"-"};
    if (count == 0) {
        names = standard_input;
        count = 1;
    }
    struct operands o = {arena_alloc(arena, count * sizeof *names),
                         arena_alloc(arena, count * sizeof *names), 0};
    for (size_t i = 0; i < count; i++) {
        o.names[o.count] = reopenable(diag, arena, names[i], &o.labels[o.count]);
        o.count += o.names[o.count] != NULL;
    }
    return o;
}

bool
operands_spool_recording(struct input *in, struct arena *arena)
{
    struct lines *lines = &in->lines;
    if (lseek(lines->fd, 0, SEEK_CUR) >= 0 || perfdata_streams(lines_ahead(lines, PERFDATA_START)))
        return true;
    int copy = copy_rest(in->diag, arena, lines_buffered(lines), lines->fd, in->name,
                         "perf.data through a pipe");
    if (copy < 0)
        return false;
    input_unpacked(in);
    if (lseek(copy, 0, SEEK_SET) != 0) {
        diag_error(in->diag, (struct place){in->name, 0}, "%s", strerror(errno));
        return false;
    }
    if (lines->fd > STDIN_FILENO)
        close(lines->fd);
    struct progress *progress = lines->progress;
    lines_start(lines, copy);
    lines->progress = progress;
    return true;
}

void
operands_start(struct input *in, struct diag *diag, const struct operands *operands)
{
    input_start(in, diag, operands->names, operands->count);
    if (operands->labels != NULL)
        in->count = operands->count; /* no inputs, not even standard input */
}

bool
operands_next(struct input *in, const struct operands *operands)
{
    if (!input_next(in))
        return false;
    if (operands->labels != NULL)
        in->name = operands->labels[in->at - 1];
    return true;
}

struct extent {
    bool any;
    uint64_t first, last;
};

static void
note_time(struct extent *e, uint64_t ns)
{
    if (!e->any || ns < e->first)
        e->first = ns;
    if (!e->any || ns > e->last)
        e->last = ns;
    e->any = true;
}

/* Take the sample's time. Return false, so that its frames are skipped. */
static bool
accept(void *ctx, const struct perf_header *h)
{
    if (perf_header_has(h, PERF_TIME))
        note_time(ctx, h->time);
    return false;
}

/* Take the times of a perf.data file's samples. Faults of the file are reported when it is read
 * again. */
static void
measure_recording(struct extent *e, struct lines *lines, bool nanoseconds)
{
    struct recording recording;
    struct record r;
    bool open = recording_open(&recording, lines);
    for (enum recording_item item;
         open && (item = recording_next(&recording, &r)) != RECORDING_END;)
        if (item == RECORDING_RECORD && r.type == PERF_RECORD_SAMPLE && (r.has & PERF_SAMPLE_TIME))
            note_time(e, nanoseconds ? r.time : r.time - r.time % 1000);
    recording_free(&recording);
}

bool
operands_times(struct diag *diag, const struct operands *operands, bool nanoseconds,
               uint64_t *first, uint64_t *last)
{
    struct extent e = {0};
    struct input in;
    struct perftext text;
    operands_start(&in, diag, operands);
    perftext_init(&text, &perf_rules, &in.lines);
    text.source.accept = accept;
    text.source.numbers = 1 << PERF_TIME;
    in.takes_recordings = true;
    text.source.ctx = &e;
    while (operands_next(&in, operands)) {
        if (in.recording)
            measure_recording(&e, &in.lines, nanoseconds);
        while (!in.recording && source_next(&text.source) != ITEM_END)
            ;
    }
    perftext_free(&text);
    input_free(&in);
    *first = e.first;
    *last = e.last;
    return e.any;
}
