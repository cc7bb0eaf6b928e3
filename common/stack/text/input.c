#include "common/stack/text/input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/base/interrupt.h"
#include "common/base/num.h"
#include "common/stack/text/foreign.h"

/* Count the last line as skipped. */
static void
count_skipped(struct input *in)
{
    in->last_skipped = input_place(in);
    if (in->skipped++ == 0)
        in->first_skipped = in->last_skipped;
}

/* A callback for lines.skipped. */
static void
skip_long_line(void *input)
{
    struct input *in = input;
    count_skipped(in);
    diag_warn(in->diag, "lines of more than 16 MB, left out", input_place(in),
              "a line of more than 16 MB, left out");
}

void
input_start(struct input *in, struct diag *diag, char **names, size_t count)
{
    static char *standard_input[] = {"-"};
    *in = (struct input){.diag = diag, .names = names, .count = count};
    if (count == 0) {
        in->names = standard_input;
        in->count = 1;
    }
    in->lines = (struct lines){.fd = -1, .skipped = skip_long_line, .skipped_ctx = in};
}

void
input_unpacked(struct input *in)
{
    int status = unpack_end(&in->unpack, true);
    if (status < 0)
        diag_error(in->diag, (struct place){in->name, 0}, "%s", strerror(-status));
    else if (status != 0)
        diag_error(
            in->diag, input_place(in),
            "%s ended with status %d: the file is damaged or was cut, and is read up to here",
            in->packed->tool, status);
}

/* Close the open file, if any. Report if reading it failed. */
static void
leave(struct input *in)
{
    if (in->lines.eof)
        input_unpacked(in);
    unpack_end(&in->unpack, false);
    if (in->lines.error != 0)
        diag_error(in->diag, (struct place){in->name, 0}, "%s", strerror(in->lines.error));
    if (in->lines.fd > STDIN_FILENO)
        close(in->lines.fd);
    interrupt_release();
    in->lines.fd = -1;
    in->lines.error = 0;
    progress_end(&in->progress);
}

enum { MAGIC_MAX = 10 }; /* for UNPACK_MAGIC, or the name of a recording */

/* Return true if the text begins with the byte order mark of UTF-16. */
static bool
is_utf16(struct lines *l)
{
    struct span start = lines_ahead(l, MAGIC_MAX);
    return span_starts(start, SPAN("\xff\xfe")) || span_starts(start, SPAN("\xfe\xff"));
}

/* Return true if the text has carriage returns in place of newlines, as files from old Macs have:
 * at least two in the first 64 KiB, and neither a newline nor a NUL there. */
static bool
has_cr_lines(struct lines *l)
{
    enum { MOST = 64 * 1024 };
    struct span start;
    size_t want = MAGIC_MAX;
    do {
        want = want < MOST / 4 ? want * 4 : MOST;
        start = lines_ahead(l, want);
        if (span_has(start, '\n') || span_has(start, '\0'))
            return false;
    } while (start.len >= want && want < MOST);
    return span_find(start, '\r') != span_rfind(start, '\r');
}

/* Return true if the open file is perf.data: tools/perf/util/header.c in the Linux source. If it is
 * from a machine of the other byte order, its last byte, a 2, comes first. For programs that read
 * perf.data, folders count as well: perf record --threads makes one. */
static bool
is_recording(struct input *in)
{
    struct span start = lines_ahead(&in->lines, MAGIC_MAX);
    if (in->lines.error == EISDIR)
        return in->takes_recordings;
    return span_starts(start, SPAN("PERFILE2")) || span_starts(start, SPAN("PERFFILE")) ||
           span_starts(start, SPAN("2ELIFREP"));
}

static void
refuse_recording(struct input *in)
{
    /* Characters that need no quotes in a shell. */
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:,@%+=-";
    bool word = in->name[strspn(in->name, plain)] == '\0';
    diag_error(in->diag, NOWHERE, "%s is perf's binary recording; run: perf-script %s | %s",
               in->name, word ? in->name : "FILE",
               in->after_perf != NULL ? in->after_perf : in->diag->program);
}

/* Return true if the open file can be read by lines. Otherwise print a message and return false. */
static bool
is_text(struct input *in)
{
    const char *advice = NULL;
    if (is_utf16(&in->lines))
        advice = "UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8";
    else if (!in->as_is && (advice = foreign_profile(&in->lines)) == NULL &&
             has_cr_lines(&in->lines))
        advice = "its lines end in CR alone: convert it with tr '\\r' '\\n'";
    if (advice != NULL)
        diag_error(in->diag, (struct place){in->name, 0}, "%s", advice);
    return advice == NULL;
}

/* Skip the mark that some editors write before UTF-8 text. */
static void
skip_byte_order_mark(struct lines *l)
{
    static const struct span mark = {"\xef\xbb\xbf", 3};
    if (span_starts(lines_ahead(l, mark.len), mark))
        lines_skip(l, mark.len, 0);
}

/* Open the next file, unless it is open already. On failure, print a message and return false. */
static bool
enter(struct input *in)
{
    size_t i = in->at++;
    const char *name = in->names[i];
    bool standard = strcmp(name, "-") == 0;
    int fd = in->opened != NULL ? in->opened[i] : -1;
    if (fd < 0)
        fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    in->name = standard ? "standard input" : name;
    if (fd < 0) {
        diag_error(in->diag, (struct place){name, 0}, "%s", strerror(errno));
        return false;
    }
    if (isatty(fd) && isatty(STDERR_FILENO))
        diag_note(in->diag, "reading %s, a terminal; Ctrl-D ends it", in->name);
    if (standard)
        interrupt_hold(fd);
    lines_start(&in->lines, fd);
    progress_start(&in->progress, in->diag->program, fd);
    in->lines.progress = &in->progress;
    return true;
}

/* If the open file is compressed, read its contents from here on. On failure, print a message and
 * return false. */
static bool
unpack(struct input *in)
{
    struct place file = {in->name, 0};
    const struct unpack_format *f = unpack_format(lines_ahead(&in->lines, UNPACK_MAGIC));
    in->packed = f;
    if (f == NULL)
        return true;
    if (in->as_is) {
        diag_error(in->diag, file, "compressed: unpack it with %s", f->cat);
        return false;
    }
    if (!unpack_start(&in->unpack, f, &in->lines)) {
        diag_error(in->diag, file, "compressed: %s, which unpacks it, cannot be run: %s", f->tool,
                   strerror(errno));
        return false;
    }
    if (unpack_format(lines_ahead(&in->lines, UNPACK_MAGIC)) == NULL)
        return true;
    diag_error(in->diag, file, "compressed twice: unpack it once with %s", f->cat);
    return false;
}

/* Return true if the open file can be read as text or perf.data. Otherwise print a message and
 * return false. */
static bool
is_readable(struct input *in)
{
    in->recording = is_recording(in);
    if (!in->recording)
        return is_text(in);
    if (!in->takes_recordings)
        refuse_recording(in);
    return in->takes_recordings;
}

bool
input_next(struct input *in)
{
    for (leave(in); in->at < in->count; leave(in)) {
        if (!enter(in) || !unpack(in) || !is_readable(in))
            continue;
        if (!in->as_is && !in->recording)
            skip_byte_order_mark(&in->lines);
        in->skipped_before = in->skipped;
        return true;
    }
    return false;
}

void
input_skip(struct input *in, const char *why)
{
    count_skipped(in);
    if (in->skipped <= DIAG_SHOWN)
        diag_warn(in->diag, NULL, input_place(in), "%s", why);
}

void
input_warn_cut(struct input *in)
{
    if (in->lines.unterminated)
        diag_warn(in->diag, "files whose last line has no newline", input_place(in),
                  "the last line has no newline: perhaps the file was cut");
}

/* In binary data, the line is 0, and no place is printed: each message contains the offset. */
void
input_say_skipped(const struct input *in, uint64_t n, const char *what)
{
    const struct place *first = &in->first_skipped;
    const char *plural = n == 1 ? "" : "s", *plural_skipped = in->skipped == 1 ? "" : "s";
    bool one = in->count == 1;
    if (in->skipped > 0 && first->line == 0)
        diag_note(in->diag, "%s %s%s, %s record%s skipped", NUM_TEXT(n), what, plural,
                  NUM_TEXT(in->skipped), plural_skipped);
    else if (in->skipped > 0)
        diag_note(in->diag, "%s %s%s, %s line%s skipped (first at %s%s%zu)", NUM_TEXT(n), what,
                  plural, NUM_TEXT(in->skipped), plural_skipped, one ? "line " : first->file,
                  one ? "" : ":", first->line);
}

int
input_status(const struct input *in, bool strict)
{
    return in->diag->status != 0 || (strict && in->skipped > 0);
}

void
input_free(struct input *in)
{
    leave(in);
    lines_free(&in->lines);
}
