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

bool
input_next(struct input *in)
{
    leave(in);
    while (in->at < in->count) {
        const char *name = in->names[in->at++];
        bool standard = strcmp(name, "-") == 0;
        int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
        in->name = standard ? "standard input" : name;
        if (fd >= 0) {
            lines_start(&in->lines, fd);
            progress_start(&in->progress, in->diag->program, fd);
            in->lines.progress = &in->progress;
            return true;
        }
        diag_error(in->diag, (struct place){name, 0}, "%s", strerror(errno));
    }
    return false;
}

void
input_skip(struct input *in)
{
    if (in->skipped++ == 0)
        in->first_skipped = input_place(in);
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

void
input_free(struct input *in)
{
    leave(in);
    lines_free(&in->lines);
}
