/* A span is a borrowed piece of text: a pointer and a length, without a terminator. It may contain
 * any byte, even NUL. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
    const char *ptr;
    size_t len;
};

/* SPAN("text") is a span over a string literal. */
#define SPAN(literal) ((struct span){(literal), sizeof(literal) - 1})

/* SPAN_BYTES(object) is a span over the bytes of an object, such as a key made of numbers. */
#define SPAN_BYTES(object) ((struct span){(const char *)&(object), sizeof(object)})

/* The arguments for printf's "%.*s"; at most 4096 bytes are printed. */
#define SPAN_ARG(s) ((s).len > 4096 ? 4096 : (int)(s).len), (s).ptr

static inline struct span
span_of(const char *ptr, size_t len)
{
    return (struct span){ptr, len};
}

/* Return the span over a C string; it borrows the string. */
static inline struct span
span_cstr(const char *s)
{
    return (struct span){s, strlen(s)};
}

static inline bool
span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Return s without its first n bytes; n is at most s.len. */
static inline struct span
span_from(struct span s, size_t n)
{
    return (struct span){s.ptr + n, s.len - n};
}

/* Return the first n bytes of s; n is at most s.len. */
static inline struct span
span_head(struct span s, size_t n)
{
    return (struct span){s.ptr, n};
}

static inline bool
span_starts(struct span s, struct span prefix)
{
    return s.len >= prefix.len && memcmp(s.ptr, prefix.ptr, prefix.len) == 0;
}

static inline bool
span_ends(struct span s, struct span suffix)
{
    return s.len >= suffix.len && memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0;
}

/* Return true if s equals, or starts with, one of the n texts. */
bool span_eq_any(struct span s, const struct span *of, size_t n);
bool span_starts_any(struct span s, const struct span *of, size_t n);

#define SPAN_NONE ((size_t)-1)

/* Return the offset of the first c; SPAN_NONE if there is none. */
static inline size_t
span_find(struct span s, char c)
{
    const char *at = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;
    return at != NULL ? (size_t)(at - s.ptr) : SPAN_NONE;
}

/* Return true if s contains the byte. */
static inline bool
span_has(struct span s, char c)
{
    return span_find(s, c) != SPAN_NONE;
}

/* Return the text before the first c; all of s if there is none. */
static inline struct span
span_before(struct span s, char c)
{
    size_t at = span_find(s, c);
    return span_head(s, at != SPAN_NONE ? at : s.len);
}

/* Return the text before the first c, and remove it and the c from *s; if there is no c, return and
 * remove all. */
static inline struct span
span_take(struct span *s, char c)
{
    struct span taken = span_before(*s, c);
    *s = span_from(*s, taken.len + (taken.len < s->len));
    return taken;
}

/* Return the offset of the last c; SPAN_NONE if there is none. */
size_t span_rfind(struct span s, char c);

/* Return the offset of the first occurrence of the text; SPAN_NONE if there is none; 0 for the
 * empty text. */
size_t span_search(struct span s, struct span text);

/* Return true if s contains the text. */
static inline bool
span_holds(struct span s, struct span text)
{
    return span_search(s, text) != SPAN_NONE;
}

/* Return the offset of the last occurrence of the text, which is not empty; SPAN_NONE if there is
 * none. */
size_t span_rsearch(struct span s, struct span text);

/* Return the length of the common prefix of a and b. */
size_t span_common(struct span a, struct span b);

/* Return true if a comes before b in span_cmp's order; `common` is span_common(a, b). */
static inline bool
span_less(struct span a, struct span b, size_t common)
{
    return common < b.len &&
           (common == a.len || (unsigned char)a.ptr[common] < (unsigned char)b.ptr[common]);
}

/* Compare like memcmp, bytes as unsigned; a prefix comes before a longer text. */
int span_cmp(struct span a, struct span b);

/* Return true for white space of the C locale, whatever the locale: \t \n \v \f \r and the
 * blank. */
static inline bool
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Return true for the blank only, with which programs indent their output. */
static inline bool
is_blank(char c)
{
    return c == ' ';
}

static inline bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Return true for a character of a decimal number. */
static inline bool
is_number_part(char c)
{
    return is_digit(c) || c == '.';
}

/* Return true for a lower-case hexadecimal digit, as the kernel and perf print them. */
static inline bool
is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

static inline bool
is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Return true for a character of an identifier. */
static inline bool
is_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

/* Return s without white space on either side. */
static inline struct span
span_trim(struct span s)
{
    while (s.len > 0 && is_space(s.ptr[0]))
        s = span_from(s, 1);
    while (s.len > 0 && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* Return the number of consecutive bytes, from offset `at` on, that satisfy the predicate; `at` is
 * at most s.len. */
static inline size_t
span_run(struct span s, size_t at, bool (*is)(char))
{
    size_t end = at;
    while (end < s.len && is(s.ptr[end]))
        end++;
    return end - at;
}

/* Remove the text from the start of *s. Return false, with *s unchanged, if s does not start with
 * it. */
static inline bool
span_skip(struct span *s, struct span text)
{
    bool starts = span_starts(*s, text);
    *s = starts ? span_from(*s, text.len) : *s;
    return starts;
}

/* Remove the bytes that satisfy the predicate from the start of *s, and return them. */
static inline struct span
span_take_run(struct span *s, bool (*is)(char))
{
    struct span run = span_head(*s, span_run(*s, 0, is));
    *s = span_from(*s, run.len);
    return run;
}

/* As span_take_run, for bytes in the set, like strspn(3). */
static inline struct span
span_take_of(struct span *s, struct span set)
{
    size_t end = 0;
    while (end < s->len && span_has(set, s->ptr[end]))
        end++;
    struct span run = span_head(*s, end);
    *s = span_from(*s, end);
    return run;
}

/* Return the number of blanks at the start of s. Eight at a time: a third fewer instructions for
 * reports that are indented by depth, such as pmcstat's. */
static inline size_t
span_blanks(struct span s)
{
    size_t n = 0;
    while (s.len - n >= 8 && memcmp(s.ptr + n, "        ", 8) == 0)
        n += 8;
    return n + span_run(s, n, is_blank);
}

/* Remove white space and the word after it from the start of *s, and return the word; empty if
 * there is none. */
static inline struct span
span_take_word(struct span *s)
{
    size_t blanks = span_blanks(*s), start = blanks + span_run(*s, blanks, is_space), end = start;
    while (end < s->len && !is_space(s->ptr[end]))
        end++;
    struct span word = span_of(s->ptr + start, end - start);
    *s = span_from(*s, end);
    return word;
}

/* Return the offset where the bytes before `end` that satisfy the predicate begin; `end` if the
 * byte before it does not. */
static inline size_t
span_run_before(struct span s, size_t end, bool (*is)(char))
{
    while (end > 0 && is(s.ptr[end - 1]))
        end--;
    return end;
}

#endif
