#include "cmd/stackcollapse/formats.h"

#include "cmd/stackcollapse/jsonfile.h"

#define ROW(id, name) &format_##id,
static const struct format *const formats[FORMAT_COUNT] = {FORMATS(ROW)};
#undef ROW
#define NAME(id, name) name,
static const char *const names[FORMAT_COUNT] = {FORMATS(NAME)};
#undef NAME

/* How much of a file to look at: far more than perf script --header prints before its samples. */
enum { LOOK_AHEAD = 1024 * 1024 };

const struct format *
format_at(size_t i)
{
    return formats[i];
}

const char *
format_name(size_t i)
{
    return names[i];
}

/* `comments`: pass over lines that begin with "#". */
static size_t
first_line(struct span head, bool (*is)(struct span line), bool comments)
{
    for (size_t at = 0, len; at < head.len; at += len + 1) {
        struct span rest = span_from(head, at);
        len = span_find(rest, '\n');
        if (len == SPAN_NONE)
            len = rest.len;
        struct span line = span_head(rest, len);
        if (span_trim(line).len > 0 && !(comments && line.ptr[0] == '#') && is(line))
            return at;
    }
    return SPAN_NONE;
}

size_t
format_first_line(struct span head, bool (*is)(struct span line))
{
    return first_line(head, is, true);
}

size_t
format_first_of_all(struct span head, bool (*is)(struct span line))
{
    return first_line(head, is, false);
}

/* The format, of those from `from` to before `to`, whose piece comes first in the head;
 * FORMAT_COUNT if none has one. */
static size_t
claimant(struct span head, size_t from, size_t to)
{
    size_t first = FORMAT_COUNT;
    for (size_t i = from; i < to && head.len > 0; i++) {
        size_t at = formats[i]->claims(head);
        if (at == SPAN_NONE)
            continue;
        first = i;
        head = span_head(head, at); /* only what comes earlier can still decide */
    }
    return first;
}

/* The format of a file that is JSON, which may be a single line; FORMAT_COUNT if none claims it. */
static size_t
guess_json(struct lines *l)
{
    size_t format = FORMAT_COUNT;
    bool more = true;
    for (size_t want = 64; want <= LOOK_AHEAD && more && format == FORMAT_COUNT; want *= 4) {
        struct span head = lines_ahead(l, want);
        more = head.len >= want && jsonfile_is(head);
        if (jsonfile_is(head))
            format = claimant(head, FORMAT_FIRST_JSON, FORMAT_COUNT);
    }
    return format;
}

size_t
format_guess(struct lines *l)
{
    size_t json = guess_json(l);
    if (json < FORMAT_COUNT)
        return json;
    for (size_t want = 1; want <= LOOK_AHEAD; want *= 4) {
        struct span head = lines_ahead(l, want);
        bool whole = head.len < want;
        size_t newline = span_rfind(head, '\n');
        if (!whole && newline == SPAN_NONE) {
            if (want == LOOK_AHEAD)
                return FORMAT_folded; /* the only format with lines so long */
            continue;
        }
        size_t format =
            claimant(whole ? head : span_head(head, newline + 1), 0, FORMAT_FIRST_JSON);
        if (format < FORMAT_COUNT)
            return format;
        if (whole)
            break;
    }
    return FORMAT_COUNT;
}
