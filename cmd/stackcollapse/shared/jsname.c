#include "cmd/stackcollapse/shared/jsname.h"

#include "common/base/num.h"

const struct jsonfield jsname_fields[] = {
    FIELD_TEXT("functionName", struct jsname, function),
    FIELD_TEXT("url", struct jsname, url),
    FIELD_U64("lineNumber", struct jsname, line),
    FIELD_U64("columnNumber", struct jsname, column),
    FIELD_END,
};

/* Append the path of a file: URL, in which bytes other than letters may be written as %20. */
static void
add_path(struct text *t, struct span path)
{
    for (size_t at; (at = span_find(path, '%')) != SPAN_NONE;) {
        uint64_t byte = '%';
        text_add(t, span_head(path, at));
        path = span_from(path, at + 1);
        if (path.len >= 2 && num_hex(span_head(path, 2), &byte))
            path = span_from(path, 2);
        text_add(t, span_of(&(char){(char)byte}, 1));
    }
    text_add(t, path);
}

static void
add_number(struct text *t, uint64_t n)
{
    char digits[NUM_DIGITS];
    TEXT_ADD(t, SPAN(":"), num_decimal(digits, n));
}

void
jsname_clear(struct jsname *n)
{
    n->function.len = n->url.len = 0;
    n->line = n->column = UINT64_MAX;
}

void
jsname_write(const struct jsname *n, struct text *name)
{
    jsname_compose(name, text_span(&n->function), text_span(&n->url), n->line, n->column, n->first);
}

void
jsname_compose(struct text *name, struct span function, struct span url, uint64_t line,
               uint64_t column, uint64_t first)
{
    bool placed = line >= first && line < UINT64_MAX;
    bool wasm = span_starts(url, SPAN("wasm://")); /* one line; a column is a code offset */
    name->len = 0;
    if (url.len == 0 && !placed) {
        text_add(name, function.len > 0 ? function : SPAN("(anonymous)"));
        return;
    }
    TEXT_ADD(name, SPAN("JS:"), function.len + url.len > 0 ? function : SPAN("(anonymous)"));
    if (span_starts(function, SPAN("wasm-function[")))
        return; /* V8 names a function without a name by its number */
    text_add(name, SPAN(" "));
    if (wasm)
        text_add(name, SPAN("wasm"));
    else if (span_starts(url, SPAN("file:///")))
        add_path(name, span_from(url, SPAN("file://").len));
    else
        text_add(name, url);
    if (placed && !wasm)
        add_number(name, line - first + 1);
    if (placed && column >= first && column < UINT64_MAX)
        add_number(name, column - first + !wasm);
}
