/* Skips what is in an object or array without making items of it: only strings, brackets and line
 * ends matter, so it costs a fraction of json_next. */
#include "common/base/json.h"
#include "common/base/jsonrun.h"

/* What changes the state outside of strings. */
static const bool matters[256] = {
    ['"'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, ['\n'] = true,
};

/* Acts on a byte that matters; false if it cannot be. */
static bool
act(struct json *j, char c)
{
    switch (c) {
    case '{':
    case '[':
        return json_open(j, c == '{');
    case '}':
    case ']':
        if (j->in_object != (c == '}'))
            return false;
        json_close(j);
        return true;
    default:
        j->lines->number += c == '\n';
        return true;
    }
}

/* Skips from p until the depth is `outside`, or up to `end`. *quote is whether p is in a string,
 * *escaped whether after a backslash there. Returns where it stopped: at a bracket that cannot be,
 * with *bad, too. */
static const char *
skim(struct json *j, const char *p, const char *end, size_t outside, bool *quote, bool *escaped,
     bool *bad)
{
    while (p < end && j->depth > outside) {
        if (*quote) {
            p += *escaped ? 0 : json_plain_run(p, end);
            if (p == end)
                break;
            *quote = *escaped || *p != '"';
            *escaped = !*escaped && *p == '\\';
        } else {
            while (p < end && !matters[(unsigned char)*p])
                p++;
            if (p == end)
                break;
            *quote = *p == '"';
            *bad = !act(j, *p);
            if (*bad)
                break;
        }
        p++;
    }
    return p;
}

static bool
skip_items(struct json *j, size_t outside)
{
    while (j->depth > outside && json_next(j) != JSON_ERROR)
        ;
    return j->item != JSON_ERROR;
}

bool
json_skip(struct json *j)
{
    struct lines *l = j->lines;
    size_t outside = j->depth - 1;
    bool quote = false, escaped = false, bad = false;
    if (j->item != JSON_OBJECT && j->item != JSON_ARRAY)
        return j->item != JSON_ERROR;
    if (j->strict)
        return skip_items(j, outside);
    while (j->depth > outside && !bad) {
        const char *end = l->buf + l->end;
        l->pos = (size_t)(skim(j, l->buf + l->pos, end, outside, &quote, &escaped, &bad) - l->buf);
        if (j->depth > outside && !bad && !json_ahead(j))
            bad = true;
    }
    if (bad) {
        json_fail(j, quote ? "the rest of a string" : "the rest of an object or array");
        return false;
    }
    j->item = (j->objects[(outside + 1) / 64] >> (outside + 1) % 64 & 1) != 0 ? JSON_OBJECT_END
                                                                              : JSON_ARRAY_END;
    j->state = JSON_STATE_NEXT;
    return true;
}
