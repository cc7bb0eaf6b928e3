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

/* Leaves the file that is open, if one is. */
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

/* What is often given by mistake in place of its text, by its first bytes: RFC 1952, the .xz file
 * format, RFC 8878, and tools/perf/util/header.c in the Linux source. */
static const struct {
    struct span magic;
    const char *what;
} no_texts[] = {
    {{"\x1f\x8b\x08", 3}, "compressed: unpack it with zcat"},
    {{"\xfd\x37zXZ", 5}, "compressed: unpack it with xzcat"},
    {{"\x28\xb5\x2f\xfd", 4}, "compressed: unpack it with zstdcat"},
    {{"PERFILE2", 8}, "a perf.data file and no text: print it with perf script -i"},
};

/* False, after a message, where the open file is none to be read by lines. */
static bool
is_text(struct input *in)
{
    struct span start = lines_ahead(&in->lines, 8);
    for (size_t i = 0; i < sizeof no_texts / sizeof *no_texts; i++)
        if (span_starts(start, no_texts[i].magic)) {
            diag_error(in->diag, (struct place){in->name, 0}, "%s", no_texts[i].what);
            return false;
        }
    return true;
}

/* Opens a file by name; false, after a message, where that fails. */
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
        if (is_text(in))
            return true;
        leave(in);
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
