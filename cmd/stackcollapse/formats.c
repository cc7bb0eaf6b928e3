#include "cmd/stackcollapse/formats.h"

#include <stdlib.h>

#include "cmd/stackcollapse/shared/jsonfile.h"
#include "cmd/stackcollapse/shared/perfreader.h"
#include "common/base/num.h"
#include "common/stack/text/lookslike.h"

#define ROW(id, name) &format_##id,
const struct format *const formats[FORMAT_COUNT] = {FORMATS(ROW)};
#undef ROW
#define NAME(id, name) name,
const char *const format_names[FORMAT_COUNT] = {FORMATS(NAME)};
#undef NAME

/* Bytes of a file to look at: far more than perf script --header prints before its samples. */
enum { LOOK_AHEAD = 1024 * 1024 };

/* Return true if the line is neither blank nor a comment. */
static bool
is_text(struct span line, bool hash_is_text)
{
    return span_trim(line).len > 0 && (hash_is_text || line.ptr[0] != '#');
}

bool
format_has_text(struct span head)
{
    while (head.len > 0)
        if (is_text(span_take(&head, '\n'), false))
            return true;
    return false;
}

/* Return the offset of the first line that only this format can have, or SPAN_NONE. */
static size_t
first_line(struct span head, const struct format *f)
{
    for (struct span rest = head; rest.len > 0 && f->is != NULL;) {
        struct span line = span_take(&rest, '\n');
        if (is_text(line, f->hash_is_text) && f->is(line))
            return (size_t)(line.ptr - head.ptr);
    }
    return SPAN_NONE;
}

/* Return the format with the earliest such line in the head, except for excluded formats;
 * FORMAT_COUNT if none has one. */
static size_t
guess_text(struct span head, uint64_t excluded)
{
    size_t first = FORMAT_COUNT;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        size_t at = (excluded >> i & 1) == 0 ? first_line(head, formats[i]) : SPAN_NONE;
        if (at == SPAN_NONE)
            continue;
        first = i;
        head = span_head(head, at); /* only earlier lines can still change the result */
    }
    return first;
}

/* Return the format of a JSON file, which may be a single line; FORMAT_COUNT if it is none of the
 * known ones. */
static size_t
guess_json(struct lines *l)
{
    bool more = true;
    for (size_t want = 64; want <= LOOK_AHEAD && more; want *= 4) {
        struct span head = lines_ahead(l, want);
        more = head.len >= want && jsonfile_is(head);
        for (size_t i = 0; i < FORMAT_COUNT && jsonfile_is(head); i++)
            if (formats[i]->is_json != NULL && formats[i]->is_json(head))
                return i;
    }
    return FORMAT_COUNT;
}

/* Return the format of the first line that only one format can have. Each bit of `excluded`
 * excludes a format. Return FORMAT_COUNT if there is no such line. */
static size_t
guess_lines(struct lines *l, uint64_t excluded)
{
    for (size_t want = 1; want <= LOOK_AHEAD; want *= 4) {
        struct span head = lines_ahead(l, want);
        bool whole = head.len < want;
        head = span_head(head, whole ? head.len : want); /* more may be buffered */
        size_t newline = span_rfind(head, '\n');
        if (!whole && newline == SPAN_NONE) {
            if (want == LOOK_AHEAD) /* in text, only folded stacks have such long lines */
                return jsonfile_is(head) ? FORMAT_COUNT : FORMAT_folded;
            continue;
        }
        size_t format = guess_text(whole ? head : span_head(head, newline + 1), excluded);
        if (format < FORMAT_COUNT)
            return format;
        if (whole)
            break;
    }
    return FORMAT_COUNT;
}

/* Return true if at least half of the first lines are folded stacks, since in any text some lines
 * end in a number. So do headers of perf script text with only a thread, "app 12", but its frames
 * do not. */
static bool
is_mostly_folded(struct lines *l)
{
    struct span head = looks_first_lines(l);
    size_t folded = 0, other = 0;
    while (head.len > 0) {
        struct span line = span_take(&head, '\n');
        if (perf_line_is_frame(line))
            return false;
        bool is_folded = format_folded.is(line) && looks_folded(line);
        folded += is_folded;
        other += !is_folded && is_text(line, false);
    }
    return folded >= other;
}

/* Return true if at least half of the first lines are perf script text. */
static bool
is_mostly_perf(struct lines *l)
{
    struct looks_share share = looks_perf_share(l);
    return share.perf >= share.other;
}

size_t
format_guess(struct lines *l)
{
    enum { ENOUGH = 4096 };
    struct span head = lines_ahead(l, ENOUGH);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->is_binary != NULL && formats[i]->is_binary(head))
            return i;
    size_t json = guess_json(l);
    if (json < FORMAT_COUNT)
        return json;
    _Static_assert(FORMAT_COUNT <= 64, "a bit for each format");
    uint64_t excluded = 0;
    for (;;) {
        size_t format = guess_lines(l, excluded);
        bool few = (format == FORMAT_folded && !is_mostly_folded(l)) ||
                   (format == FORMAT_perf && !is_mostly_perf(l));
        if (!few)
            return format == FORMAT_COUNT && looks_perf_share(l).perf > 0 ? FORMAT_perf : format;
        excluded |= (uint64_t)1 << format;
    }
}

static struct stacker *
new_state(const struct format *f, struct collapse *c)
{
    size_t size = f->state_size > 0 ? f->state_size : sizeof(struct stacker);
    struct stacker *s = mem_alloc(size);
    memset(s, 0, size);
    s->c = c;
    if (f->sample != NULL)
        perfreader_begin(s, f->accept);
    if (f->begin != NULL)
        f->begin(s);
    return s;
}

/* Call take() for each line of the open file, until s->ended. */
static void
fold_lines(struct stacker *s, void (*take)(struct stacker *s, struct span line))
{
    struct span line;
    while (lines_next(&s->c->input.lines, &line)) {
        if (s->ended)
            continue;
        s->lines++;
        take(s, line);
    }
    if (!s->c->input.as_is)
        input_warn_cut(&s->c->input);
}

void
format_fold(const struct format *f, struct collapse *c, void **state)
{
    struct stacker *s = *state != NULL ? *state : new_state(f, c);
    *state = s;
    if (f->fold != NULL)
        f->fold(s);
    else if (f->sample != NULL)
        perfreader_fold(s, f->sample);
    else if (f->members != NULL)
        jsonfile_fold(s, f->members);
    else
        fold_lines(s, f->take);
}

void
format_finish(const struct format *f, void **state)
{
    struct stacker *s = *state;
    if (s != NULL && f->finish != NULL && !s->ended)
        f->finish(s);
    if (f->per_file || f->members != NULL)
        format_end(f, state);
}

void
format_end(const struct format *f, void **state)
{
    struct stacker *s = *state;
    if (s == NULL)
        return;
    if (s->left_out > 0 && f->left_out != NULL)
        diag_note(s->c->diag, "%s of %s %s, and are left out", NUM_TEXT(s->left_out),
                  NUM_TEXT(s->c->samples), f->left_out);
    if (f->end != NULL)
        f->end(s);
    if (f->sample != NULL)
        perfreader_end(s);
    for (const size_t *at = f->buffers; at != NULL && *at > 0; at++) {
        void *buffer; /* first member of each */
        memcpy(&buffer, (char *)s + *at, sizeof buffer);
        free(buffer);
    }
    for (const size_t *at = f->interns; at != NULL && *at > 0; at++)
        intern_free((void *)((char *)s + *at));
    for (const size_t *at = f->trees; at != NULL && *at > 0; at++)
        stacktree_free((void *)((char *)s + *at));
    stacker_free(s);
    free(s);
    *state = NULL;
}

void
format_report(const struct collapse *c)
{
    uint64_t n = c->samples + c->stacks;
    const char *what = c->stacks == 0 ? "sample" : c->samples == 0 ? "folded line" : "item";
    diag_finish(c->diag);
    if (profile_is_full(&c->profile) || c->samples == UINT64_MAX)
        diag_error(c->diag, NOWHERE, DECIMAL_FULL);
    if (c->without_frames > 0)
        diag_note(c->diag, "%s of %s samples have no frames and are left out",
                  NUM_TEXT(c->without_frames), NUM_TEXT(c->samples));
    input_say_skipped(&c->input, n, what);
    if (c->diag->status != 0)
        return;
    if (c->has_text && profile_is_empty(&c->profile))
        diag_error(c->diag, NOWHERE,
                   n == 0 ? "no samples in the input" : "no sample of the input is left to fold");
    else if (n == 0 && c->input.skipped == 0)
        diag_note(c->diag, "no samples in the input");
}
