/* JSON text (RFC 8259), read piece by piece: memory holds the longest string, not the text. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "common/base/decimal.h"
#include "common/base/lines.h"

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
    enum json_item item; /* given last */
    /* A key or a string, its escapes decoded as UTF-8 (a surrogate without its partner becomes
     * U+FFFD; bytes that are not UTF-8 stay), or a number as it is written. Valid until the next
     * call. One of more than LINES_MOST bytes is an error. */
    struct span text;
    char why[JSON_WHY]; /* after JSON_ERROR: "byte 812: a comma is missing" */
    bool cut;           /* after JSON_ERROR: the text ends too early, and is right up to there */
    bool strict;        /* json_skip checks all; the caller may set it after json_start */
    size_t depth;       /* how many objects and arrays are open */
    bool in_object;     /* the innermost of them is an object */
    enum json_state { JSON_STATE_FIRST, JSON_STATE_NEXT, JSON_STATE_COLON, JSON_STATE_OVER } state;
    uint64_t before;                       /* bytes of the text that came before the buffer */
    uint64_t objects[JSON_DEPTH / 64 + 1]; /* a bit for each depth: it is an object */
};

/* Starts on the text that `lines` is at the start of, which is borrowed. From now on lines->number
 * is the line of what was read last, for messages. */
void json_start(struct json *j, struct lines *lines);

/* Reads the next item. After JSON_END and JSON_ERROR it gives the same again. */
enum json_item json_next(struct json *j);

/* Reads the next value. One that is an object or an array is read to its end and discarded:
 * the item is JSON_OBJECT or JSON_ARRAY, without what is in it. */
enum json_item json_scalar(struct json *j);

/* Reads the rest of the object or array whose start was the item given last; does nothing after any
 * other item. Of what it skips only strings and brackets are checked, unless j->strict. False after
 * an error. */
bool json_skip(struct json *j);

/* For json_skip: an object or array begins here; false if it is nested too deep. */
bool json_open(struct json *j, bool object);

/* For json_skip: the innermost object or array ends. */
void json_close(struct json *j);

/* For json_skip: reads on; false if the text ends here. */
bool json_ahead(struct json *j);

/* For json_skip: the item becomes JSON_ERROR, and j->why says what should follow here. */
enum json_item json_fail(struct json *j, const char *wanted);

/* Reads the start of the next value, which should be JSON_OBJECT or JSON_ARRAY. A value that is
 * anything else is read to its end and discarded, and the result is false. */
bool json_enter(struct json *j, enum json_item wanted);

/* For loops over an object whose start was read: reads the next member's key. False at the
 * object's end and after an error. */
static inline bool
json_member(struct json *j)
{
    return json_next(j) == JSON_KEY;
}

/* For loops over an array whose start was read: reads the next element's first item. False at the
 * array's end and after an error. */
static inline bool
json_element(struct json *j)
{
    enum json_item item = json_next(j);
    return item != JSON_ARRAY_END && item != JSON_ERROR && item != JSON_END;
}

/* True if the item given last is this key. */
static inline bool
json_is(const struct json *j, struct span key)
{
    return j->item == JSON_KEY && span_eq(j->text, key);
}

/* The index of the key among n names; n if it is none of them. */
size_t json_which(const struct json *j, const struct span *names, size_t n);

/* The number that is the item given last, times 10 to the power `shift`. Digits beyond what a
 * decimal holds are dropped, and it saturates. False if the item is not a number, or if it is
 * negative. */
bool json_decimal(const struct json *j, int shift, struct decimal *d);

/* The whole number from 0 on that is the item given last. False if the item is anything else. */
bool json_u64(const struct json *j, uint64_t *value);

/* The number that is the item given last, as the nearest double. False if it is not a number. */
bool json_double(const struct json *j, double *value);

#endif
