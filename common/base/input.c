#include "common/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/base/num.h"

void
input_start(struct input *in, struct diag *diag, char **names, size_t count)
{
    static char *standard_input[] = {"-"};
    *in = (struct input){.diag = diag, .names = names, .count = count};
    if (count == 0) {
        in->names = standard_input;
        in->count = 1;
    }
    in->lines.fd = -1;
}

/* Closes the open file, if there is one, and reports a read of it that failed. */
static void
leave(struct input *in)
{
    if (in->lines.error != 0)
        diag_error(in->diag, (struct place){in->name, 0}, "%s", strerror(in->lines.error));
    if (in->lines.fd > STDIN_FILENO)
        close(in->lines.fd);
    in->lines.fd = -1;
    in->lines.error = 0;
    progress_end(&in->progress);
}

/* Files that are often given by mistake, by their first bytes: RFC 1952, the .xz file
 * format, RFC 8878, bzip2's first block (after "BZh" and a digit), and the byte order marks of
 * UTF-16. */
static const struct {
    struct span magic;
    size_t at;
    const char *advice;
} binary_magic[] = {
    {{"\x1f\x8b\x08", 3}, 0, "compressed: unpack it with zcat"},
    {{"\xfd\x37zXZ", 5}, 0, "compressed: unpack it with xzcat"},
    {{"\x28\xb5\x2f\xfd", 4}, 0, "compressed: unpack it with zstdcat"},
    {{"1AY&SY", 6}, 4, "compressed: unpack it with bzcat"},
    {{"\xff\xfe", 2}, 0, "UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8"},
    {{"\xfe\xff", 2}, 0, "UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8"},
};

enum { MAGIC_MOST = 10 };

/* What to do with the open file before it can be read; NULL if it can be read as it is. */
static const char *
binary_advice(struct input *in)
{
    struct span start = lines_ahead(&in->lines, MAGIC_MOST);
    for (size_t i = 0; i < sizeof binary_magic / sizeof *binary_magic; i++)
        if (start.len >= binary_magic[i].at &&
            span_starts(span_from(start, binary_magic[i].at), binary_magic[i].magic))
            return binary_magic[i].advice;
    return NULL;
}

/* Whether the text has a carriage return in place of each newline, as files of old Macs have: two
 * at least, and no newline in its first 64 KiB. */
static bool
has_cr_lines(struct lines *l)
{
    enum { MOST = 64 * 1024 };
    struct span start;
    size_t want = MAGIC_MOST;
    do {
        want = want < MOST / 4 ? want * 4 : MOST;
        start = lines_ahead(l, want);
        if (span_find(start, '\n') != SPAN_NONE)
            return false;
    } while (start.len >= want && want < MOST);
    return span_find(start, '\r') != span_rfind(start, '\r');
}

/* True if the open file is perf.data: tools/perf/util/header.c in the Linux source. Its last byte
 * is the first one, a 2, on a machine of the other byte order. A folder counts, for programs that
 * read perf.data: perf record --threads makes one. */
static bool
is_recording(struct input *in)
{
    struct span start = lines_ahead(&in->lines, MAGIC_MOST);
    if (in->lines.error == EISDIR)
        return in->takes_recordings;
    return span_starts(start, SPAN("PERFILE2")) || span_starts(start, SPAN("2ELIFREP"));
}

static void
refuse_recording(struct input *in)
{
    bool standard = in->lines.fd == STDIN_FILENO;
    diag_error(in->diag, NOWHERE, "%s is perf's binary recording; run: perf-script %s | %s",
               in->name, standard ? "FILE" : in->name,
               in->after_perf != NULL ? in->after_perf : in->diag->program);
}

/* False, after a message, if the open file cannot be read by lines. */
static bool
is_text(struct input *in)
{
    const char *advice = binary_advice(in);
    if (advice == NULL && !in->as_is && has_cr_lines(&in->lines))
        advice = "its lines end in CR alone: convert it with tr '\\r' '\\n'";
    if (advice != NULL)
        diag_error(in->diag, (struct place){in->name, 0}, "%s", advice);
    return advice == NULL;
}

/* The mark that some editors put before UTF-8 text. */
static void
skip_byte_order_mark(struct lines *l)
{
    static const struct span mark = {"\xef\xbb\xbf", 3};
    if (span_starts(lines_ahead(l, mark.len), mark))
        lines_skip(l, mark.len, 0);
}

/* Opens a file by name; false, after a message, if that fails. */
static bool
enter(struct input *in, const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    in->name = standard ? "standard input" : name;
    if (fd < 0) {
        diag_error(in->diag, (struct place){name, 0}, "%s", strerror(errno));
        return false;
    }
    lines_start(&in->lines, fd);
    progress_start(&in->progress, in->diag->program, fd);
    in->lines.progress = &in->progress;
    return true;
}

bool
input_next(struct input *in)
{
    leave(in);
    while (in->at < in->count) {
        if (!enter(in, in->names[in->at++]))
            continue;
        in->recording = is_recording(in);
        if (in->recording && in->takes_recordings)
            return true;
        if (in->recording)
            refuse_recording(in);
        if (in->recording || !is_text(in)) {
            leave(in);
            continue;
        }
        if (!in->as_is)
            skip_byte_order_mark(&in->lines);
        return true;
    }
    return false;
}

void
input_skip(struct input *in, const char *why)
{
    if (in->skipped++ == 0)
        in->first_skipped = input_place(in);
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

void
input_say_skipped(const struct input *in, uint64_t n, const char *what)
{
    char all[NUM_COMMAS], some[NUM_COMMAS];
    struct span whole = num_commas(all, n), skipped = num_commas(some, in->skipped);
    bool one = in->count == 1;
    if (in->skipped > 0)
        diag_note(in->diag, "%.*s %s%s, %.*s line%s skipped (first at %s%s%zu)", SPAN_ARG(whole),
                  what, n == 1 ? "" : "s", SPAN_ARG(skipped), in->skipped == 1 ? "" : "s",
                  one ? "line " : in->first_skipped.file, one ? "" : ":", in->first_skipped.line);
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
