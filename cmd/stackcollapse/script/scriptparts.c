#include "cmd/stackcollapse/script/scriptparts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

void
scriptstack_prepend(struct stacker *f, struct span name)
{
    if (name.len > 0 || f->n > 0)
        stacker_push_leaf_first(f, name);
}

void
scriptstack_emit(struct stacker *f, struct decimal count)
{
    if (f->n == 0)
        stacker_push(f, SPAN(""));
    stacker_emit(f, ROOT_FIRST, count);
}

bool
scriptstack_count(struct stacker *f, struct span line)
{
    struct decimal count;
    span_take_run(&line, is_space);
    if (span_run(line, 0, is_digit) < line.len)
        return false;
    if (decimal_parse(line, &count)) {
        stacker_reverse(f, 0);
        scriptstack_emit(f, count);
    }
    return true;
}

void
scriptstack_print(struct stacker *f, struct span count)
{
    struct out *out = f->c->out;
    for (size_t i = 0; i < f->n; i++) {
        if (i > 0)
            out_char(out, ';');
        out_span(out, profile_name_text(&f->c->profile, f->frames[i]));
    }
    folded_write_counts(out, count, SPAN(""));
    f->c->samples++;
    f->n = 0;
}

void
scriptlevels_set(struct scriptlevels *l, size_t level, struct span name)
{
    while (l->list.n <= level)
        VEC_ADD(l->list, intern_add(&l->names, SPAN("")));
    l->list.at[level] = intern_add(&l->names, name);
}

void
scriptlevels_print(struct scriptlevels *l, size_t n, struct span count)
{
    for (size_t i = 0; i < n; i++)
        stacker_push(&l->base, intern_text(&l->names, l->list.at[i]));
    scriptstack_print(&l->base, count);
}

void
script_fail(struct stacker *f, const char *why, int status)
{
    diag_error(f->c->diag, input_place(&f->c->input), "%s", why);
    f->c->script_status = status;
    f->ended = true;
}

/* Perl's die() exits with errno. That is ENOTTY, since Perl checks whether a file is a terminal
 * when it opens it; or it is 0 after reading to the end of the file, and then die() exits with
 * 255. */
void
script_die(struct stacker *f, const char *why)
{
    char text[80];
    snprintf(text, sizeof text, "%s: the script ends here", why);
    script_fail(f, text, f->c->input.lines.unterminated ? 255 : ENOTTY);
}

/* Do not use strtod for that: it also accepts hexadecimal numbers, infinities and white space. */
size_t
scriptnum_length(struct span text)
{
    size_t sign = text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+');
    size_t end = sign + span_run(text, sign, is_digit), digits = end - sign;
    if (end < text.len && text.ptr[end] == '.') {
        size_t fraction = span_run(text, end + 1, is_digit);
        digits += fraction;
        end += 1 + fraction;
    }
    if (digits == 0)
        return 0;
    if (end < text.len && (text.ptr[end] == 'e' || text.ptr[end] == 'E')) {
        size_t at = end + 1;
        at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+');
        size_t exponent = span_run(text, at, is_digit);
        end = exponent > 0 ? at + exponent : end;
    }
    return end;
}

double
scriptnum(struct span text)
{
    char copy[64];
    size_t len = scriptnum_length(text);
    len = len < sizeof copy ? len : sizeof copy - 1;
    if (len == 0)
        return 0;
    memcpy(copy, text.ptr, len);
    copy[len] = '\0';
    return strtod(copy, NULL);
}

bool
script_words(struct span text, struct span *words, size_t n)
{
    size_t before = span_run(text, 0, is_blank), after = 0;
    for (size_t i = before; i < text.len; i++)
        after += text.ptr[i] == ' ';
    size_t lack = after < n ? n - after : 0;
    if (lack > before)
        return false;
    text = span_from(text, before - lack);
    for (size_t i = 0; i < n; i++) {
        words[i] = span_head(text, span_find(text, ' '));
        text = span_from(text, words[i].len + 1);
    }
    return true;
}

bool
script_task(struct span line, struct span *comm, struct span *pid, struct span *tid)
{
    if (line.len == 0 || is_space(line.ptr[0]))
        return false;
    for (size_t end = 2; end < line.len; end++) {
        struct span rest = span_from(line, end);
        if (span_take_run(&rest, is_space).len == 0)
            continue;
        size_t first = line.len - rest.len;
        struct span process = span_take_run(&rest, is_digit);
        span_take_of(&rest, SPAN("/"));
        struct span thread = span_take_run(&rest, is_digit);
        if (process.len > 0 && rest.len > 0 && is_space(rest.ptr[0])) {
            *comm = span_head(line, end);
            *pid = process;
            *tid = thread;
            return true;
        }
        end = first - 1; /* the other blanks of this run would give the same end */
    }
    return false;
}

bool
awk_word(struct span *rest, struct span *word)
{
    const struct span separators = SPAN(" \t");
    size_t end = 0;
    span_take_of(rest, separators);
    while (end < rest->len && !span_has(separators, rest->ptr[end]))
        end++;
    *word = span_head(*rest, end);
    *rest = span_from(*rest, end);
    return end > 0;
}

bool
awk_is_true(struct span text)
{
    return text.len > 0 && (scriptnum_length(text) < text.len || scriptnum(text) != 0);
}
