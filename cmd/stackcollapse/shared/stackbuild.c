#include "cmd/stackcollapse/shared/stackbuild.h"

#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

uint32_t
stackbuild_name(struct stackbuild *b, struct span name)
{
    b->clean.len = 0;
    if (b->profile->demangle == NULL || !b->profile->demangle(name, &b->clean))
        text_add(&b->clean, name);
    text_replace(&b->clean, ';', ':');
    text_replace(&b->clean, '\n', ' ');
    text_replace(&b->clean, '\r', ' ');
    return profile_name(b->profile, text_span(&b->clean));
}

void
stackbuild_push(struct stackbuild *b, struct span name)
{
    stackbuild_push_name(b, stackbuild_name(b, name));
}

void
stackbuild_push_folded(struct stackbuild *b, struct span stack)
{
    for (struct span rest = stack.len > 0 ? stack : SPAN(""); rest.ptr != NULL;)
        stackbuild_push_name(b, profile_name(b->profile, folded_frame(&rest)));
}

void
stackbuild_reverse(struct stackbuild *b, size_t from)
{
    for (size_t i = from, j = b->n; i + 1 < j; i++) {
        uint32_t frame = b->frames[i];
        b->frames[i] = b->frames[--j];
        b->frames[j] = frame;
    }
}

bool
stackbuild_emit(struct stackbuild *b, struct decimal count)
{
    if (b->n == 0)
        return false;
    profile_add(b->profile, b->frames, b->n, count, NULL);
    b->n = 0;
    return true;
}

void
stackbuild_free(struct stackbuild *b)
{
    free(b->frames);
    free(b->clean.ptr);
    *b = (struct stackbuild){0};
}
