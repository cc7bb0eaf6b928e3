/* Folded stacks, one or two counts:
 *
 *     node;main;f /p/x.js:1:2 31
 *     node;main;f /p/x.js:1:2 31 27
 *
 * stackcollapse writes the command name as the first frame. It is not treated as one: no pattern is
 * matched on it, and it stays when all frames are dropped. */
#include "cmd/stackfilter/filter.h"
#include "common/base/utf8.h"
#include "common/stack/foldedtext.h"

/* What is written for a stack that has lost all its frames and has no command name. */
#define NO_FRAMES SPAN("(no frames)")

static uint32_t
frame_number(struct filter *f, struct span name)
{
    uint32_t number;
    if (intern_put(&f->folded_names, name, &number)) {
        struct span sym = intern_text(&f->folded_names, number), dso = SPAN("");
        struct decision *d = decisions_make(&f->folded_frames, number, &sym, &dso);
        d->shown = intern_add(&f->folded_shown, utf8_masked(&f->masked, sym));
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

/* A kernel function without its mark is taken for native: that changes the output if one of the two
 * kinds is hidden and the other is not. */
static bool
kernel_matters(const struct rules *r)
{
    return (r->hidden >> KIND_KERNEL & 1u) != (r->hidden >> KIND_NATIVE & 1u);
}

static void
filter_line(struct filter *f, const struct folded *folded)
{
    struct span left = folded->stack;
    struct span comm = f->no_comm ? (struct span){NULL, 0} : folded_frame(&left);
    size_t n = read_stack(f, left);
    if (f->rules->node || kernel_matters(f->rules))
        advice_add(&f->advice, &f->folded_frames, f->stack, n, comm);
    struct count count = {{{0, 0}, {0, 0}}};
    decimal_parse(folded->count, &count.of[0]);
    decimal_parse(folded->second, &count.of[1]);
    if (!filter_stack(f, &f->folded_frames, &n, count))
        return;
    if (f->no_comm && n == 0)
        comm = NO_FRAMES;
    out_span(&f->out, utf8_masked(&f->masked, comm));
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
    f->folded = true;
    f->advice.traits = 0;
    if (f->rules->any_dso)
        diag_warn(f->diag, "files without DSO names", input_place(&f->input),
                  "folded stacks have no DSO names, so dso: matches nothing in them");
    foldedtext_start(&text, &f->input.lines);
    for (enum folded_item item; (item = foldedtext_next(&text, &folded)) != FOLDED_END;) {
        f->usable += item == FOLDED_STACK;
        if (item == FOLDED_STACK)
            filter_line(f, &folded);
        else
            filter_pass(f, text.line, item == FOLDED_SKIPPED ? text.why : NULL);
    }
    if (kernel_matters(f->rules) && f->usable > 0 && !(f->advice.traits & TRAIT_MARKED))
        diag_warn(f->diag, "files without _[k] marks", (struct place){f->input.name, 0},
                  "folded stacks without _[k] marks do not show which frames are the kernel's: "
                  "fold with stackcollapse --kernel");
}
