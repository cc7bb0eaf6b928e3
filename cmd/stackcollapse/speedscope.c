/* Files of speedscope, which py-spy, rbspy, dotnet-trace and others write too: JSON
 * (https://www.speedscope.app/file-format-schema.json).
 *
 *     {"$schema": "https://www.speedscope.app/file-format-schema.json",
 *      "shared": {"frames": [{"name": "main", "file": "app.py", "line": 3}, {"name": "hot"}]},
 *      "profiles": [
 *         {"type": "sampled", "name": "Thread 1", "unit": "seconds", "startValue": 0, "endValue":
 * 1, "samples": [[0, 1], [0]], "weights": [0.75, 0.25]},
 *         {"type": "evented", "name": "Thread 2", "unit": "milliseconds",
 *          "startValue": 0, "endValue": 10,
 *          "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 10}]}]}
 *
 * A stack is indexes of frames, root first. The frames may come after the profiles, so stacks are
 * kept as indexes until the end. */
#include <stdlib.h>

#include "cmd/stackcollapse/jsonfile.h"
#include "cmd/stackcollapse/stackbuild.h"
#include "cmd/stackcollapse/timeunit.h"
#include "common/base/num.h"

#define NO_FRAME UINT32_MAX

/* How often a stack was seen in a profile. */
struct row {
    uint32_t stack, profile;
    struct decimal weight; /* microseconds, where the profile's unit is a time */
};

struct file {
    struct collapse *c;
    struct json json;
    struct arena arena;
    struct span *frames; /* names, in the arena */
    size_t nframes, frames_cap;
    struct span *profiles; /* names, in the arena */
    size_t nprofiles, profiles_cap;
    struct intern stacks; /* indexes of frames, as bytes */
    struct row *rows;
    size_t nrows, rows_cap;
    bool mixed; /* profiles count different things */

    /* Of the profile read last. */
    struct text name, unit, first_unit;
    uint32_t *open; /* the stack that events have opened, or that is read */
    size_t nopen, open_cap;
    uint32_t *samples;
    size_t nsamples, samples_cap;
    struct decimal *weights;
    size_t nweights, weights_cap;
    size_t first_row;
    struct decimal now; /* of the events */
};

/* The index that is the value read last. */
static uint32_t
frame_index(const struct json *j)
{
    uint64_t i;
    return json_u64(j, &i) && i < NO_FRAME ? (uint32_t)i : NO_FRAME;
}

static void
push(struct file *f, uint32_t frame)
{
    f->open = mem_grow(f->open, &f->open_cap, f->nopen + 1, sizeof *f->open);
    f->open[f->nopen++] = frame;
}

/* The number of the stack in f->open. */
static uint32_t
stack_number(struct file *f)
{
    return intern_add(&f->stacks, span_of((const char *)f->open, f->nopen * sizeof *f->open));
}

static void
add_row(struct file *f, uint32_t stack, struct decimal weight)
{
    f->rows = mem_grow(f->rows, &f->rows_cap, f->nrows + 1, sizeof *f->rows);
    f->rows[f->nrows++] = (struct row){stack, (uint32_t)f->nprofiles, weight};
}

static void
read_text(struct json *j, struct text *t)
{
    t->len = 0;
    if (json_scalar(j) == JSON_STRING)
        text_add(t, j->text);
}

/* Appends " (app.py:3)". */
static void
add_place(struct text *name, struct span file, uint64_t line)
{
    char digits[NUM_DIGITS];
    text_add(name, SPAN(" ("));
    text_add(name, file);
    if (line > 0) {
        text_add(name, SPAN(":"));
        text_add(name, num_decimal(digits, line));
    }
    text_add(name, SPAN(")"));
}

/* Reads a frame, whose "{" was read. */
static void
read_frame(struct file *f)
{
    struct json *j = &f->json;
    struct text file = {0};
    uint64_t line = 0;
    f->name.len = 0;
    while (json_member(j)) {
        if (json_is(j, SPAN("name"))) {
            read_text(j, &f->name);
        } else if (json_is(j, SPAN("file"))) {
            read_text(j, &file);
        } else {
            bool is_line = json_is(j, SPAN("line"));
            json_scalar(j);
            if (is_line)
                json_u64(j, &line);
        }
    }
    if (file.len > 0)
        add_place(&f->name, text_span(&file), line);
    f->frames = mem_grow(f->frames, &f->frames_cap, f->nframes + 1, sizeof *f->frames);
    f->frames[f->nframes++] = arena_copy(&f->arena, text_span(&f->name));
    free(file.ptr);
}

/* Reads an array of objects, calling `read` after each "{". */
static void
read_objects(struct file *f, void (*read)(struct file *f))
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    while (json_element(&f->json)) {
        if (f->json.item == JSON_OBJECT)
            read(f);
        else
            json_skip(&f->json);
    }
}

static void
read_shared(struct file *f)
{
    if (!json_enter(&f->json, JSON_OBJECT))
        return;
    while (json_member(&f->json)) {
        if (json_is(&f->json, SPAN("frames")))
            read_objects(f, read_frame);
        else
            json_scalar(&f->json);
    }
}

/* Reads the stack of a sample, whose "[" was read. */
static void
read_stack(struct file *f)
{
    f->nopen = 0;
    for (; json_element(&f->json); json_skip(&f->json))
        push(f, frame_index(&f->json));
}

static void
read_samples(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    while (json_element(&f->json)) {
        f->nopen = 0;
        if (f->json.item == JSON_ARRAY)
            read_stack(f);
        else
            json_skip(&f->json);
        f->samples = mem_grow(f->samples, &f->samples_cap, f->nsamples + 1, sizeof *f->samples);
        f->samples[f->nsamples++] = stack_number(f);
    }
}

static void
read_weights(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    for (; json_element(&f->json); json_skip(&f->json)) {
        struct decimal weight = {0, 0};
        if (!json_decimal(&f->json, 0, &weight))
            input_skip(&f->c->input, "a weight is not a number from 0 on");
        f->weights = mem_grow(f->weights, &f->weights_cap, f->nweights + 1, sizeof *f->weights);
        f->weights[f->nweights++] = weight;
    }
}

/* Closes the innermost open frame of this index, and those in it. */
static bool
close_frame(struct file *f, uint32_t frame)
{
    size_t i = f->nopen;
    while (i > 0 && f->open[i - 1] != frame)
        i--;
    if (i == 0)
        return false;
    f->nopen = i - 1;
    return true;
}

/* Reads an event, whose "{" was read. The time since the event before it is the open stack's. */
static void
read_event(struct file *f)
{
    struct json *j = &f->json;
    char type = 0;
    uint32_t frame = NO_FRAME;
    struct decimal at = f->now, since;
    bool good = false;
    while (json_member(j)) {
        if (json_is(j, SPAN("type"))) {
            type = json_scalar(j) == JSON_STRING && j->text.len == 1 ? j->text.ptr[0] : 0;
        } else if (json_is(j, SPAN("frame"))) {
            json_scalar(j);
            frame = frame_index(j);
        } else {
            bool is_at = json_is(j, SPAN("at"));
            json_scalar(j);
            good |= is_at && json_decimal(j, 0, &at);
        }
    }
    if (j->item == JSON_ERROR)
        return;
    good = good && decimal_subtract(at, f->now, &since);
    if (good && f->nopen > 0 && !decimal_is_zero(since))
        add_row(f, stack_number(f), since);
    if (good)
        f->now = at;
    if (good && type == 'O')
        push(f, frame);
    else if (!good || type != 'C' || !close_frame(f, frame))
        input_skip(&f->c->input, "an event that is out of order, or closes what is not open");
}

/* Pairs the samples with their weights, and gives the weights their unit. */
static void
end_profile(struct file *f)
{
    int places, first_places;
    bool time = timeunit_places(text_span(&f->unit), &places);
    if (f->nprofiles == 0)
        text_add(&f->first_unit, text_span(&f->unit));
    bool first_time = timeunit_places(text_span(&f->first_unit), &first_places);
    f->mixed |=
        time != first_time || (!time && !span_eq(text_span(&f->unit), text_span(&f->first_unit)));
    for (size_t i = 0; i < f->nsamples; i++)
        add_row(f, f->samples[i], i < f->nweights ? f->weights[i] : (struct decimal){0, 0});
    if (f->nsamples > f->nweights)
        input_skip(&f->c->input, "a profile with fewer weights than samples");
    if (f->nsamples == 0 && f->nopen > 0)
        input_skip(&f->c->input, "a profile whose last frames are not closed");
    for (size_t i = f->first_row; i < f->nrows; i++)
        f->rows[i].weight = decimal_shift(f->rows[i].weight, places);
}

/* Reads a profile, whose "{" was read. */
static void
read_profile(struct file *f)
{
    struct json *j = &f->json;
    struct span name = SPAN("");
    f->unit.len = f->nopen = f->nsamples = f->nweights = 0;
    f->first_row = f->nrows;
    f->now = (struct decimal){0, 0};
    while (json_member(j)) {
        if (json_is(j, SPAN("name"))) {
            read_text(j, &f->name);
            name = arena_copy(&f->arena, text_span(&f->name));
        } else if (json_is(j, SPAN("unit"))) {
            read_text(j, &f->unit);
        } else if (json_is(j, SPAN("samples"))) {
            read_samples(f);
            f->nopen = 0;
        } else if (json_is(j, SPAN("weights"))) {
            read_weights(f);
        } else if (json_is(j, SPAN("events"))) {
            read_objects(f, read_event);
        } else {
            json_scalar(j);
        }
    }
    end_profile(f);
    f->profiles = mem_grow(f->profiles, &f->profiles_cap, f->nprofiles + 1, sizeof *f->profiles);
    f->profiles[f->nprofiles++] = name;
}

/* Pushes the frames of a stack; false if one is not listed. */
static bool
push_stack(struct file *f, struct stackbuild *b, uint32_t stack)
{
    struct span bytes = intern_text(&f->stacks, stack);
    for (size_t at = 0; at < bytes.len; at += sizeof(uint32_t)) {
        uint32_t frame;
        memcpy(&frame, bytes.ptr + at, sizeof frame);
        if (frame >= f->nframes)
            return false;
        stackbuild_push(b, f->frames[frame]);
    }
    return true;
}

/* Adds all rows to the profile; where the file has several profiles, under their names. */
static void
add_stacks(struct file *f)
{
    struct stackbuild b = {.profile = &f->c->profile};
    unsigned long long lost = 0;
    for (size_t i = 0; i < f->nrows; i++) {
        const struct row *row = &f->rows[i];
        stackbuild_clear(&b);
        if (f->nprofiles > 1)
            stackbuild_push(&b, f->profiles[row->profile]);
        if (!push_stack(f, &b, row->stack))
            lost++;
        else if (!stackbuild_emit(&b, row->weight))
            f->c->without_frames++;
    }
    f->c->samples += f->nrows;
    if (lost > 0)
        diag_warn(f->c->diag, NULL, (struct place){f->c->input.name, 0},
                  "stacks with frames that are not listed, left out: %llu", lost);
    if (f->mixed)
        diag_note(f->c->diag, "%s: its profiles count different things, which are added up",
                  f->c->input.name);
    stackbuild_free(&b);
}

static void
free_file(struct file *f)
{
    arena_free(&f->arena);
    intern_free(&f->stacks);
    free(f->frames);
    free(f->profiles);
    free(f->rows);
    free(f->open);
    free(f->samples);
    free(f->weights);
    free(f->name.ptr);
    free(f->unit.ptr);
    free(f->first_unit.ptr);
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c};
    jsonfile_start(&f.json, c);
    if (json_next(&f.json) == JSON_OBJECT)
        while (json_member(&f.json)) {
            if (json_is(&f.json, SPAN("shared")))
                read_shared(&f);
            else if (json_is(&f.json, SPAN("profiles")))
                read_objects(&f, read_profile);
            else
                json_scalar(&f.json);
        }
    jsonfile_end(&f.json, c);
    add_stacks(&f);
    free_file(&f);
}

static bool
is_ours(struct span head)
{
    bool schema = jsonfile_has(head, SPAN("$schema")) &&
                  span_search(head, SPAN("speedscope.app/file-format-schema")) != SPAN_NONE;
    bool shared = jsonfile_has(head, SPAN("shared")) && jsonfile_has(head, SPAN("frames"));
    return schema || shared;
}

const struct format format_speedscope = {.is_json = is_ours, .fold = fold};
