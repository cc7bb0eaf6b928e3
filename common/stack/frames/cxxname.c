#include "common/stack/frames/cxxname.h"

/* The pieces of a name, outside of its brackets. */
enum piece {
    PIECE_TEXT,
    PIECE_BLANK,     /* one blank */
    PIECE_OPERATOR,  /* "operator"; with its sign if that contains brackets: "operator()" */
    PIECE_BRACKETS,  /* "<int>", "{lambda(int)#1}", "(anonymous namespace)", "[abi:cxx11]" */
    PIECE_ARGUMENTS, /* "(int, char**)" */
};

/* The bytes at which a piece of text ends. */
enum { BLANK = 1, OPEN, CLOSE, LETTER_O };
static const unsigned char special[256] = {
    [' '] = BLANK, ['('] = OPEN,  ['<'] = OPEN,  ['['] = OPEN,  ['{'] = OPEN,
    [')'] = CLOSE, ['>'] = CLOSE, [']'] = CLOSE, ['}'] = CLOSE, ['o'] = LETTER_O,
};

static int
special_at(struct span name, size_t at)
{
    return special[(unsigned char)name.ptr[at]];
}

/* Return the length of an operator's name at `at`, or 0 if none begins there. Include its sign if
 * that would be taken for unbalanced brackets, or for arguments. "operator new[]", "operator->",
 * "operator bool" and others are the word and ordinary pieces. */
static size_t
operator_length(struct span name, size_t at)
{
    static const struct span signs[] = {
        SPAN("()"), SPAN("<=>"), SPAN("<<"), SPAN(">>"), SPAN("<"), SPAN(">"),
    };
    const struct span word = SPAN("operator");
    struct span s = span_from(name, at);
    if (!span_starts(s, word) || (at > 0 && is_word(name.ptr[at - 1])))
        return 0;
    s = span_from(s, word.len);
    if (s.len > 0 && is_word(s.ptr[0]))
        return 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (span_starts(s, signs[i]))
            return word.len + signs[i].len;
    return word.len;
}

/* Return the end of the brackets that open at `at`: the offset after their partner, or the end of
 * the name if there is none. */
static size_t
brackets_end(struct span name, size_t at)
{
    size_t depth = 0;
    while (at < name.len) {
        int found = special_at(name, at);
        size_t length = found == LETTER_O ? operator_length(name, at) : 0;
        bool arrow = name.ptr[at] == '>' && name.ptr[at - 1] == '-'; /* "fn() -> u8" */
        at += length > 0 ? length : 1;
        if (found == OPEN)
            depth++;
        else if (found == CLOSE && !arrow && --depth == 0)
            break;
    }
    return at;
}

/* Return true if a parenthesis at `at` is part of the name: "(anonymous namespace)", Go's
 * "(*Client)", "void (*signal(int))", Java's "StubRoutines (1)". Arguments, however, follow the
 * name directly. */
static bool
is_part(struct span name, size_t at)
{
    char before = at > 0 ? name.ptr[at - 1] : ' ';
    return before == ' ' || before == ':' || before == '.' ||
           span_starts(span_from(name, at), SPAN("(anonymous "));
}

/* Return the end of the text that begins at `at`. "decltype (a+b)" is text with its parentheses. */
static size_t
text_end(struct span name, size_t at)
{
    size_t end = at + 1;
    while (end < name.len && special_at(name, end) == 0)
        end++;
    if (span_eq(span_of(name.ptr + at, end - at), SPAN("decltype"))) {
        size_t open = end < name.len && name.ptr[end] == ' ' ? end + 1 : end;
        if (open < name.len && name.ptr[open] == '(')
            return brackets_end(name, open);
    }
    return end;
}

/* Return the kind of the piece at `at`, which is below name.len, and set *end to its end. Do not
 * read bytes before at - 1. */
static enum piece
next_piece(struct span name, size_t at, size_t *end)
{
    int found = special_at(name, at);
    if (found == BLANK) {
        *end = at + 1;
        return PIECE_BLANK;
    }
    if (found == OPEN) {
        *end = brackets_end(name, at);
        return name.ptr[at] == '(' && !is_part(name, at) ? PIECE_ARGUMENTS : PIECE_BRACKETS;
    }
    size_t length = found == LETTER_O ? operator_length(name, at) : 0;
    *end = length > 0 ? at + length : text_end(name, at);
    return length > 0 ? PIECE_OPERATOR : PIECE_TEXT;
}

/* Return true for "[clone .cold]". */
static bool
is_clone(struct span name, size_t at)
{
    return span_starts(span_from(name, at), SPAN("[clone "));
}

struct span
cxxname_own(struct span sym)
{
    bool is_operator = false;
    size_t start = 0, at = 0;
    for (size_t end; at < sym.len; at = end) {
        enum piece piece = next_piece(sym, at, &end);
        if (piece == PIECE_ARGUMENTS)
            break;
        if (piece == PIECE_BLANK && (end == sym.len || is_clone(sym, end)))
            break;
        if (piece == PIECE_BLANK && !is_operator)
            start = end; /* the text before was the type, or "non-virtual thunk to" */
        is_operator = is_operator || piece == PIECE_OPERATOR;
    }
    return span_of(sym.ptr + start, at - start);
}

/* Return the end of the qualifiers after an argument list that ends at `at`, if the name continues
 * there with "::". Otherwise return the end of the name. */
static size_t
qualifiers_end(struct span name, size_t at)
{
    static const struct span words[] = {SPAN(" const"), SPAN(" volatile"), SPAN(" &&"), SPAN(" &"),
                                        SPAN(" noexcept")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_starts(span_from(name, at), words[i]))
            at += words[i].len;
    return span_starts(span_from(name, at), SPAN("::")) ? at : name.len;
}

size_t
cxxname_tidy(struct span name, char *to)
{
    size_t len = 0;
    for (size_t at = 0, end; at < name.len; at = end) {
        if (next_piece(name, at, &end) == PIECE_ARGUMENTS) {
            end = qualifiers_end(name, end);
            continue;
        }
        memmove(to + len, name.ptr + at, end - at);
        len += end - at;
    }
    return len;
}
