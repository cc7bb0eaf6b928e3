/* Reads JSON text (RFC 8259) item by item: from a file, holding only the longest string in memory;
 * or from text in memory, whose values can be kept as they are written. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "common/base/decimal.h"
#include "common/base/lines.h"
#include "common/base/text.h"

/* Maximum nesting of arrays and objects; deeper nesting is an error. */
enum { JSON_DEPTH = 10000, JSON_WHY = 128 };

enum json_item {
    JSON_END, /* end of the text */
    JSON_ERROR,
    JSON_OBJECT, /* "{" */
    JSON_OBJECT_END,
    JSON_ARRAY, /* "[" */
    JSON_ARRAY_END,
    JSON_KEY, /* key of an object's member; its ":" is not read yet */
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
};

struct json {
    struct lines *lines;
    enum json_item item; /* last item read */
    /* A key or a string, with its escapes decoded to UTF-8 (a surrogate without its pair becomes
     * U+FFFD; bytes that are not UTF-8 are kept), or a number as written. Valid until the next
     * call. More than LINES_MAX bytes are an error. For text in memory, a key or a string as
     * written between its quotes, unchecked, of any length, valid as long as the text. */
    struct span text;
    char why[JSON_WHY]; /* after JSON_ERROR: such as "byte 812: a comma is missing" */
    bool cut;           /* after JSON_ERROR: the text ends too early, and is valid up to there */
    bool strict;        /* json_skip checks everything; the caller may set it after json_start */
    size_t depth;       /* number of open objects and arrays */
    bool in_object;     /* the innermost one is an object */
    bool is_plain;      /* the last item is a number with the value `whole` */
    uint64_t whole;
    enum json_state { JSON_STATE_FIRST, JSON_STATE_NEXT, JSON_STATE_COLON, JSON_STATE_OVER } state;
    bool in_memory;
    struct lines memory;                   /* if in_memory */
    size_t value;                          /* place in the buffer where the last value begins */
    uint64_t before;                       /* bytes of the text before the buffer */
    uint64_t objects[JSON_DEPTH / 64 + 1]; /* a bit for each depth: it is an object */
};

/* Start reading the JSON text of `lines`, which is borrowed. lines->number is then the line of the
 * last item, for messages. */
void json_start(struct json *j, struct lines *lines);

/* Start reading JSON text in memory, which is borrowed and not changed; there is nothing to free.
 * *j must not be copied. */
void json_start_text(struct json *j, struct span text);

/* Read the next item. After JSON_END and JSON_ERROR, return the same again. */
enum json_item json_next(struct json *j);

/* Read the next value. For an object or array, skip to its end and return JSON_OBJECT or
 * JSON_ARRAY. */
enum json_item json_scalar(struct json *j);

/* Skip the rest of the object or array whose start was the last item; after any other item do
 * nothing. Unless j->strict is set, check only strings and brackets in the skipped text. Return
 * false after an error. */
bool json_skip(struct json *j);

/* Read the start of the next value, which should be the wanted JSON_OBJECT or JSON_ARRAY. If it is
 * not, skip it and return false. */
bool json_enter(struct json *j, enum json_item wanted);

/* Read the next member's key of an object whose start was read. Return false at the end of the
 * object and after an error. */
static inline bool
json_member(struct json *j)
{
    return json_next(j) == JSON_KEY;
}

/* Read the first item of the next element of an array whose start was read. Return false at the end
 * of the array and after an error. */
static inline bool
json_element(struct json *j)
{
    enum json_item item = json_next(j);
    return item != JSON_ARRAY_END && item != JSON_ERROR && item != JSON_END;
}

/* Return true if the last item is this key. */
static inline bool
json_is(const struct json *j, struct span key)
{
    return j->item == JSON_KEY && span_eq(j->text, key);
}

/* For text in memory: return the value whose first item was the last one read, as it is written,
 * and skip the rest of it. Return an empty span after an error. */
struct span json_raw(struct json *j);

/* Return the value of this key in an object in memory, as it is written; empty if the object has no
 * such member, or is invalid. */
struct span json_find(struct span object, struct span key);

/* Return the text between the quotes of a string in memory, with its escapes; empty if the value is
 * not a string. */
struct span json_unquoted(struct span value);

/* Set *to to the decoded text of a string in memory, given with its quotes, as json_next decodes
 * it. Return false, with *to empty, if it is not a valid string. */
bool json_decode(struct text *to, struct span value);

/* Convert the last item, times 10 to the power `shift`. The result saturates, and digits beyond
 * those of a decimal are dropped. Return false if the item is not a number or is negative. */
bool json_decimal(const struct json *j, int shift, struct decimal *d);

/* Convert the last item. Return false if it is not a whole number from 0 on, as parsed by
 * num_u64. */
bool json_u64(const struct json *j, uint64_t *value);

/* Convert the last item to the nearest double; not for text in memory. Return false if it is not a
 * number. */
bool json_double(const struct json *j, double *value);

#endif
