/* What bcc's profile and offcputime print without -f: stacks, leaf first, then the command and its
 * process, then samples or microseconds (github.com/iovisor/bcc, tools/profile.py). With -d, the
 * line "--" separates the frames of the kernel from those of the process:
 *
 *     Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
 *     ^C
 *         tcp_sendmsg
 *         entry_SYSCALL_64_after_hwframe
 *         --
 *         write
 *         -                iperf3 (58804)
 *             12
 *
 * The frames become those that -f prints: "iperf3;write;-;entry_SYSCALL_64_after_hwframe;...". */
#include "cmd/stackcollapse/shared/counted.h"

struct bcc {
    struct stacker base;
    bool ends; /* the command was read; the count follows */
};

static bool
is_header(struct span line)
{
    return span_starts(line, SPAN("Sampling at ")) ||
           span_starts(line, SPAN("Tracing off-CPU time (us) of "));
}

/* Parse the command in " - iperf3 (58804)". */
static bool
take_command(struct span line, struct span *command)
{
    if (!span_skip(&line, SPAN("    -                ")))
        return false;
    *command = span_trim(line);
    size_t paren = span_rsearch(*command, SPAN(" ("));
    struct span process = paren != SPAN_NONE ? span_from(*command, paren + 2) : SPAN("");
    size_t digits = span_run(process, 0, is_digit);
    command->len = digits > 0 && span_eq(span_from(process, digits), SPAN(")")) ? paren : 0;
    return command->len > 0;
}

static void
take(struct stacker *f, struct span line)
{
    struct bcc *b = (struct bcc *)f;
    struct span command, frame = line;
    if (b->ends) {
        b->ends = false;
        if (span_trim(line).len > 0 && counted_end(f, line))
            return;
        stacker_skip(f, "not the count of the stack before it");
        f->n = 0;
    } else if (take_command(line, &command)) {
        stacker_push(f, command);
        b->ends = true;
    } else if (span_skip(&frame, SPAN("    "))) {
        frame = span_trim(frame);
        stacker_push(f, span_eq(frame, SPAN("--")) ? SPAN("-") : frame);
    } else if (span_trim(line).len > 0 && !is_header(line) && !span_starts(line, SPAN("^C")) &&
               !span_starts(line, SPAN("WARNING: "))) {
        stacker_skip(f, "not a line of bcc's profile");
    }
}

static bool
is_bcc(struct span line)
{
    struct span command;
    return (is_header(line) && span_holds(line, SPAN(" stack"))) || take_command(line, &command);
}

const struct format format_bcc = {.is = is_bcc,
                                  .state_size = sizeof(struct bcc),
                                  .per_file = true,
                                  .take = take,
                                  .finish = counted_finish};
