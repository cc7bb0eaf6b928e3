/* flamesvg: draws folded stacks as one interactive SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/flamesvg/html.h"
#include "cmd/flamesvg/nameless.h"
#include "cmd/flamesvg/sourcelines.h"
#include "cmd/flamesvg/svg.h"
#include "common/base/confine.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/outfile.h"

/* Below this number, samples hardly show what a program does: flamegraph.pl's limit. */
static const double few_samples = 100;

/* Exit statuses other than 0, and 2 for wrong usage. */
enum { FAILED = 1, PERL_NO_STACKS = 2, PERL_NO_NAMEATTR = 2 };

/* Report what the picture leaves out. */
static void
report_losses(const struct stacks *s, const struct input *in)
{
    input_say_skipped(in, s->lines + s->baseless, "stack");
    if (s->baseless > 0)
        diag_note(in->diag, "%s of %s stacks dropped by --base", NUM_TEXT(s->baseless),
                  NUM_TEXT(s->lines + s->baseless));
    if (s->sliced > 0 && slices_are_none(&s->slices))
        diag_note(in->diag, "slices of time are merged: --html shows them");
}

static void
report_no_stacks(const struct stacks *s, const struct input *in)
{
    if (s->baseless > 0)
        diag_error(in->diag, NOWHERE, "no stacks are left to draw");
    else if (in->skipped > 0 && s->lines > 0)
        diag_error(in->diag, NOWHERE, "nothing to draw: every count is 0");
    else if (in->skipped > 0 && s->guess.len > 0)
        diag_error(in->diag, (struct place){in->first_skipped.file, 0},
                   "no folded stacks: this looks like %.*s", SPAN_ARG(s->guess));
    else if (in->skipped > 0)
        diag_error(in->diag, (struct place){in->first_skipped.file, 0},
                   "no folded stacks: a line is frames with ';' between them, a blank and a count");
    else if (in->diag->status == 0) /* all files could be read */
        diag_error(in->diag, NOWHERE, "no stacks in the input");
}

static void
read_stacks(struct stacks *stacks, const struct options *o, struct diag *diag)
{
    struct stacks_rules rules = {
        .base = o->has_base ? &o->base : NULL,
        .reverse = o->reverse,
        .keep_order = o->flamechart,
        .wakers = o->palette->wakers,
        .gone = !o->html,
        .slices = o->html && !o->flamechart && !o->palette->wakers,
        .line_decides = o->perl,
    };
    struct input in;
    input_start(&in, diag, o->files, o->nfiles);
    in.as_is = o->perl;
    in.after_perf = "stackcollapse | flamesvg";
    stacks_read(stacks, &in, &rules);
    report_losses(stacks, &in);
    if (!(stacks->total > 0))
        report_no_stacks(stacks, &in);
    if (stacks->cut)
        diag_error(diag, NOWHERE, "a count is more than 1e200, and is drawn as 1e200");
    if (o->perl)
        diag->status = 0; /* flamegraph.pl exits with 0 even if a file cannot be read */
    diag->status = input_status(&in, o->strict);
    input_free(&in);
}

/* Return a number for people: "1,234", "12.5", "0.001235". */
static struct span
digits_of(char text[static NUMBER_TEXT], double value)
{
    if (num_is_whole(value) || value >= 1000)
        return number_commas(text, value);
    return span_of(text, (size_t)snprintf(text, NUMBER_TEXT, "%.4g", value));
}

/* Print a note if there are few samples, but not if something else is counted, such as bytes: then
 * a small number may be right. */
static void
report_few_samples(const struct options *o, double sum, struct diag *diag)
{
    char digits[NUMBER_TEXT];
    struct span count = digits_of(digits, sum);
    if (sum > 0 && sum < few_samples && span_eq(o->countname, SPAN("samples")))
        diag_note(diag, "only %.*s sample%s in total: too few to mean much", SPAN_ARG(count),
                  sum == 1 ? "" : "s");
}

/* Return the count of the whole width: --total, unless the sum of the counts is larger. If --total
 * is far smaller, flamegraph.pl does not warn. */
static double
choose_total(const struct options *o, double sum, struct diag *diag)
{
    char given[NUMBER_TEXT], there[NUMBER_TEXT];
    if (o->total >= sum)
        return o->total;
    struct span total = digits_of(given, o->total), actual = digits_of(there, sum);
    if (o->perl ? o->total / sum > 0.02 : o->total != 0)
        diag_note(diag, "--total %.*s is less than the sum %.*s: ignored", SPAN_ARG(total),
                  SPAN_ARG(actual));
    return sum;
}

static void
merge(struct frames *frames, const struct stacks *stacks, const struct options *o, double total,
      double per_count)
{
    struct frames_rules rules = {
        .narrowest = o->minwidth_percent ? total * o->minwidth / 100 : o->minwidth / per_count,
        .keep_narrow = !o->perl,
        .dedup_by_end = o->perl && o->sort == SORT_NAME,
    };
    frames_merge(frames, stacks, &rules);
}

static void
report_left_out(const struct frames *frames, const struct options *o, struct diag *diag)
{
    char digits[NUMBER_TEXT];
    struct span least = digits_of(digits, frames->least);
    if (!o->perl && frames->least > 0)
        diag_note(diag, "more than %s frames: those with a count under %.*s are left out",
                  NUM_TEXT(FRAMES_MAX), SPAN_ARG(least));
    if (frames->limit < SIZE_MAX)
        diag_note(diag, "more than %s frames: stacks are cut to the %zu frames next to the root",
                  NUM_TEXT(FRAMES_WIDE_MAX), frames->limit - 1);
}

static bool
is_whole(const struct stack *stack, double scale)
{
    double count = stack->count * scale;
    double first = isnan(stack->delta) ? 0 : (stack->count - stack->delta) * scale;
    double error = (count + first) * 0x1p-50; /* of both as doubles, and of their difference */
    return fabs(count - number_whole(count)) <= error && fabs(first - number_whole(first)) <= error;
}

/* Return the factor for counts in the table of frames: the smallest power of 10, up to a million,
 * that makes all of them whole; smaller if the total would exceed the integers of JavaScript. */
static double
choose_scale(const struct stacks *stacks, double total)
{
    const double most = 0x1p52;
    double scale = 1, largest = total > stacks->max_delta ? total : stacks->max_delta;
    for (size_t i = 0; i < stacks->count; i++)
        while (scale < 1e6 && !is_whole(&stacks->list[i], scale))
            scale *= 10;
    while (largest * scale > most)
        scale /= 10;
    return scale;
}

/* Draw a picture that says that there is nothing to draw. Do not change an existing file. */
static void
draw_error(const struct options *o)
{
    struct out out;
    if (o->output != NULL)
        return;
    out_stdout(&out);
    (o->html ? html_draw_error : svg_draw_error)(o, &out);
    out_close(&out);
}

/* Draw to a file or, if `path` is NULL, to standard output. */
static void
write_picture(const struct svg *svg, const char *path, struct diag *diag)
{
    struct out out;
    struct outfile file;
    const char *problem = path != NULL ? outfile_replace(&file, path) : NULL;
    if (path == NULL) {
        out_stdout(&out);
    } else if (problem == NULL) {
        out_open(&out, file.fd, path);
    }
    if (problem == NULL) {
        (svg->options->html ? html_draw : svg_draw)(svg, &out);
        out_close(&out);
        problem = path != NULL ? outfile_finish(&file) : NULL;
    }
    if (problem != NULL)
        diag_error(diag, (struct place){path, 0}, "%s", problem);
}

/* Report if the file of --lines has lines of none of the functions. */
static void
report_no_lines(const struct sourcelines *lines, const struct frames *frames,
                const struct options *o, struct diag *diag)
{
    uint32_t i = 0;
    while (i < frames->names.count &&
           sourcelines_find(lines, intern_text(&frames->names, i)) == NULL)
        i++;
    if (o->lines != NULL && i == frames->names.count)
        diag_warn(diag, NULL, (struct place){o->lines, 0}, "no source lines of these functions");
}

/* Draw the stacks. At least one must have a count above 0. */
static void
draw(struct stacks *stacks, struct options *o, const struct nameattr *attrs,
     const struct sourcelines *lines, struct diag *diag)
{
    struct frames frames;
    struct colormap colormap;
    double total = choose_total(o, stacks->total, diag);
    double per_count = (o->width - 2 * OPTIONS_XPAD) / total, scale = choose_scale(stacks, total);
    if (o->colormap && !colormap_read(&colormap, diag))
        return;
    merge(&frames, stacks, o, total, per_count);
    free(stacks->list); /* the frames borrow only the text */
    stacks->list = NULL;
    if (o->sort == SORT_SIZE)
        frames_order_by_size(&frames);
    report_left_out(&frames, o, diag);
    report_no_lines(lines, &frames, o, diag);
    if (!o->perl && frames.compared)
        options_set_compared(o);
    if (!o->perl)
        nameless_note(o, &frames, total);
    struct svg svg = {o,
                      &frames,
                      attrs,
                      o->colormap ? &colormap : NULL,
                      &o->shade,
                      total,
                      stacks->gone < total ? stacks->gone : 0,
                      per_count,
                      stacks->max_delta,
                      slices_are_none(&stacks->slices) ? NULL : &stacks->slices,
                      o->lines != NULL ? lines : NULL,
                      scale};
    write_picture(&svg, o->output, diag);
    if (o->colormap)
        colormap_write(&colormap, diag);
}

int
main(int argc, char **argv)
{
    struct options o;
    struct diag diag;
    struct nameattr attrs = {0};
    struct sourcelines lines = {0};
    struct stacks stacks;

    options_read(&o, argc, argv);
    diag_init(&diag, o.program);
    diag.quiet = o.quiet;
    confine(o.colormap || o.output != NULL ? CONFINE_WRITING : CONFINE_READING);
    if (o.nameattr != NULL && !nameattr_read(&attrs, &diag, o.nameattr))
        return o.perl ? PERL_NO_NAMEATTR : FAILED;
    if (o.lines != NULL && !sourcelines_read(&lines, &diag, o.lines))
        return FAILED;

    read_stacks(&stacks, &o, &diag);
    report_few_samples(&o, stacks.total, &diag);

    if (stacks.total > 0) {
        draw(&stacks, &o, &attrs, &lines, &diag);
    } else {
        draw_error(&o);
        diag.status = o.perl ? PERL_NO_STACKS : FAILED;
    }
    diag_finish(&diag);
    return diag.status;
}
