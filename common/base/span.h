/* A span is a piece of text that somebody else owns: a pointer and a length, with no end mark.
 * It may hold any byte, NUL among them. */
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

/* For printf's "%.*s"; a longer span is cut there. */
#define SPAN_ARG(s) ((s).len > 4096 ? 4096 : (int)(s).len), (s).ptr

static inline struct span
span_of(const char *ptr, size_t len)
{
    return (struct span){ptr, len};
}

/* The span over a C string; it borrows the string. */
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

/* s without its first n bytes; n is at most s.len. */
static inline struct span
span_from(struct span s, size_t n)
{
    return (struct span){s.ptr + n, s.len - n};
}

/* The first n bytes of s; n is at most s.len. */
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

/* True where s starts with one of the n texts. */
bool span_starts_any(struct span s, const struct span *of, size_t n);

#define SPAN_NONE ((size_t)-1)

/* Where c stands first, or SPAN_NONE. */
static inline size_t
span_find(struct span s, char c)
{
    const char *at = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;
    return at != NULL ? (size_t)(at - s.ptr) : SPAN_NONE;
}

/* Where c stands last, or SPAN_NONE. */
size_t span_rfind(struct span s, char c);

/* Where the text stands first, or SPAN_NONE. The empty text stands at 0. */
size_t span_search(struct span s, struct span text);

/* How many bytes a and b begin with alike. */
size_t span_common(struct span a, struct span b);

/* Whether a comes before b in span_cmp's order, where span_common(a, b) is known. */
static inline bool
span_less(struct span a, struct span b, size_t common)
{
    return common < b.len &&
           (common == a.len || (unsigned char)a.ptr[common] < (unsigned char)b.ptr[common]);
}

/* Byte order as memcmp's; of two spans that agree the shorter one is less. */
int span_cmp(struct span a, struct span b);

/* The C locale's white space, whatever the locale: \t \n \v \f \r and the blank. */
static inline bool
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A lower-case hexadecimal digit, as the kernel and perf print them. */
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

/* A character of an identifier. */
static inline bool
is_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

/* s without white space on either side. */
static inline struct span
span_trim(struct span s)
{
    while (s.len > 0 && is_space(s.ptr[0]))
        s = span_from(s, 1);
    while (s.len > 0 && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* How many bytes from `at` on satisfy the predicate; at is at most s.len. */
static inline size_t
span_run(struct span s, size_t at, bool (*is)(char))
{
    size_t end = at;
    while (end < s.len && is(s.ptr[end]))
        end++;
    return end - at;
}

#endif
