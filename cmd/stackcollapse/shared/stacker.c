#include "cmd/stackcollapse/shared/stacker.h"

#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

uint32_t
stacker_name(struct stacker *s, struct span name)
{
    struct profile *p = &s->c->profile;
    s->clean.len = 0;
    if (p->demangle == NULL || !p->demangle(name, &s->clean))
        text_add(&s->clean, name);
    text_replace(&s->clean, ';', ':');
    text_replace(&s->clean, '\n', ' ');
    text_replace(&s->clean, '\r', ' ');
    return profile_name(p, text_span(&s->clean));
}

void
stacker_push(struct stacker *s, struct span name)
{
    if (s->c->options->dialect->names->raw_semicolons)
        stacker_push_folded(s, name);
    else
        stacker_push_name(s, stacker_name(s, name));
}

void
stacker_push_leaf_first(struct stacker *s, struct span name)
{
    size_t from = s->n;
    stacker_push(s, name);
    stacker_reverse(s, from);
}

void
stacker_push_folded(struct stacker *s, struct span stack)
{
    for (struct span rest = stack.len > 0 ? stack : SPAN(""); rest.ptr != NULL;)
        stacker_push_name(s, profile_name(&s->c->profile, folded_frame(&rest)));
}

struct span
stacker_bracket(struct stacker *s, struct span file)
{
    TEXT_SET(&s->name, SPAN("["), file, SPAN("]"));
    return text_span(&s->name);
}

void
stacker_reverse(struct stacker *s, size_t from)
{
    for (size_t i = from, j = s->n; i + 1 < j; i++) {
        uint32_t frame = s->frames[i];
        s->frames[i] = s->frames[--j];
        s->frames[j] = frame;
    }
}

bool
stacker_add(struct stacker *s, enum stack_order order, struct decimal count)
{
    if (s->n == 0)
        return false;
    if (order == LEAF_FIRST)
        stacker_reverse(s, 0);
    profile_add(&s->c->profile, s->frames, s->n, count, NULL);
    s->n = 0;
    return true;
}

void
stacker_finish(struct stacker *s)
{
    stacker_emit(s, LEAF_FIRST, ONCE);
}

void
stacker_note(const struct stacker *s, uint64_t n, const char *what)
{
    if (n > 0)
        diag_note(s->c->diag, "%s %s", NUM_TEXT(n), what);
}

void
stacker_warn_left_out(const struct stacker *s, uint64_t n, const char *what)
{
    if (n > 0)
        diag_warn(s->c->diag, NULL, stacker_file(s), "%s, left out: %s", what, NUM_TEXT(n));
}

void
stacker_free(struct stacker *s)
{
    free(s->name.ptr);
    free(s->frames);
    free(s->clean.ptr);
}
