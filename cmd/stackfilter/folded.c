/* Folded stacks, one or two counts:
 *
 *     node;main;f /p/x.js:1:2 31
 *     node;main;f /p/x.js:1:2 31 27
 *
 * The first frame is the command name by stackcollapse's convention. It is no frame: no pattern is
 * asked about it, and it stays when all the others go. */
#include "cmd/stackfilter/filter.h"
#include "common/stack/foldedtext.h"

/* Stands for the frames where all have gone and there is no command name. */
#define NO_FRAMES SPAN("(no frames)")

static uint32_t
frame_number(struct filter *f, struct span name)
{
    uint32_t number;
    if (intern_put(&f->folded_names, name, &number)) {
        struct span sym = intern_text(&f->folded_names, number), dso = SPAN("");
        struct decision *d = decisions_make(&f->folded_frames, number, &sym, &dso);
        d->shown = intern_add(&f->folded_shown, sym);
    }
    return number;
}

/* Reads the frames into f->stack, leaf first, and returns how many there are. */
static size_t
read_stack(struct filter *f, struct span frames)
{
    size_t n = 0;
    while (frames.ptr != NULL) {
        f->stack = mem_grow(f->stack, &f->stack_cap, n + 1, sizeof *f->stack);
        f->stack[n++] = frame_number(f, folded_frame(&frames));
    }
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t swap = f->stack[i];
        f->stack[i] = f->stack[n - 1 - i];
        f->stack[n - 1 - i] = swap;
    }
    return n;
}

static void
filter_line(struct filter *f, const struct folded *folded)
{
    struct span left = folded->stack;
    struct span comm = f->no_comm ? (struct span){NULL, 0} : folded_frame(&left);
    size_t n = read_stack(f, left);
    struct count count = {{{0, 0}, {0, 0}}};
    decimal_parse(folded->count, &count.of[0]);
    decimal_parse(folded->second, &count.of[1]);
    if (!filter_stack(f, &f->folded_frames, &n, count))
        return;
    if (f->no_comm && n == 0)
        comm = NO_FRAMES;
    out_span(&f->out, comm);
    for (size_t i = n; i-- > 0;) {
        if (i + 1 < n || comm.ptr != NULL)
            out_char(&f->out, ';');
        out_span(&f->out, intern_text(&f->folded_shown, f->folded_frames.list[f->stack[i]].shown));
    }
    folded_write_counts(&f->out, folded->count, folded->second);
}

void
filter_folded(struct filter *f)
{
    struct foldedtext text;
    struct folded folded;
    if (f->rules->any_dso)
        diag_warn(f->diag, "files without DSO names", input_place(&f->input),
                  "folded stacks have no DSO names, dso: finds nothing in them");
    foldedtext_start(&text, &f->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &folded)) != FOLDED_END;) {
        if (item == FOLDED_STACK)
            filter_line(f, &folded);
        else
            filter_pass(f, text.line, item == FOLDED_SKIPPED ? text.why : NULL);
    }
}
