/* Reads JSON text (RFC 8259) item by item: of a file, memory holds the longest string, not the whole
 * text; or of text in memory, whose values may be kept as they are written. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "common/base/decimal.h"
#include "common/base/lines.h"
#include "common/base/text.h"

/* Arrays and objects that are nested deeper are an error. */
enum { JSON_DEPTH = 10000, JSON_WHY = 128 };

enum json_item {
    JSON_END, /* of the text */
    JSON_ERROR,
    JSON_OBJECT, /* "{" */
    JSON_OBJECT_END,
    JSON_ARRAY, /* "[" */
    JSON_ARRAY_END,
    JSON_KEY, /* of an object's member, its ":" not yet read */
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
};

struct json {
    struct lines *lines;
    enum json_item item; /* the last one read */
    /* A key or a string, its escapes decoded as UTF-8 (a surrogate without its partner becomes
     * U+FFFD; bytes that are not UTF-8 stay), or a number as it is written. Valid until the next
     * call. One of more than LINES_MOST bytes is an error. Of text in memory, a key or a string is
     * as it is written between its quotes, unchecked, of any length, and valid as long as the
     * text. */
    struct span text;
    char why[JSON_WHY]; /* after JSON_ERROR: "byte 812: a comma is missing" */
    bool cut;           /* after JSON_ERROR: the text ends too early, and is right up to there */
    bool strict;        /* json_skip checks everything; the caller may set it after json_start */
    size_t depth;       /* how many objects and arrays are open */
    bool in_object;     /* the innermost of them is an object */
    bool is_plain;      /* the last item is a number whose value is `whole` */
    uint64_t whole;
    enum json_state { JSON_STATE_FIRST, JSON_STATE_NEXT, JSON_STATE_COLON, JSON_STATE_OVER } state;
    bool in_memory;
    struct lines memory;                   /* if in_memory */
    size_t value;                          /* where the last value begins: a place in the buffer */
    uint64_t before;                       /* bytes of the text that came before the buffer */
    uint64_t objects[JSON_DEPTH / 64 + 1]; /* a bit for each depth: it is an object */
};

/* Start to read the JSON text that `lines` gives; it is borrowed. From now on lines->number is the
 * line of the item that was read last, for messages. */
void json_start(struct json *j, struct lines *lines);

/* Start to read JSON text in memory, which is borrowed and not changed; there is nothing to free.
 * *j may not be copied. */
void json_start_text(struct json *j, struct span text);

/* Read the next item. After JSON_END and JSON_ERROR, return the same again. */
enum json_item json_next(struct json *j);

/* Read the next value. Skip to the end of an object or array; the result is then JSON_OBJECT or
 * JSON_ARRAY. */
enum json_item json_scalar(struct json *j);

/* Skip the rest of the object or array whose start was the last item; after any other item do
 * nothing. Unless j->strict is set, check only strings and brackets in what is skipped. Return
 * false after an error. */
bool json_skip(struct json *j);

/* Read the start of the next value, which should be the wanted JSON_OBJECT or JSON_ARRAY. Skip a
 * value of another kind and return false. */
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

/* Of text in memory: return the value whose first item was the last one read, as it is written, and
 * skip the rest of it. Return an empty span after an error. */
struct span json_written(struct json *j);

/* Return the value of this key in an object in memory, as it is written; empty if the object has
 * no such member, or is not valid up to its end. */
struct span json_find(struct span object, struct span key);

/* Return what a string in memory has between its quotes, its escapes as they are; empty if the
 * value is no string. */
struct span json_unquoted(struct span value);

/* Make the text for which a string in memory, with its quotes, stands the whole text, as json_next
 * decodes it. Return false, with *to empty, if it is not a valid string. */
bool json_decode(struct text *to, struct span value);

/* Convert the last item, times 10 to the power `shift`. The result saturates, and digits beyond
 * those of a decimal are dropped. Return false if the item is not a number or is negative. */
bool json_decimal(const struct json *j, int shift, struct decimal *d);

/* Convert the last item. Return false if it is not a whole number from 0 on, as num_u64 reads
 * it. */
bool json_u64(const struct json *j, uint64_t *value);

/* Convert the last item to the nearest double; not of text in memory. Return false if it is not a
 * number. */
bool json_double(const struct json *j, double *value);

#endif
