/* Finds values in JSON text that lies in memory, and builds no tree of them. What is skipped is not
 * checked: where it is wrong, a value ends with the text at the latest.
 *
 *     while (jsonspan_member(&object, &key, &value))
 *         ... */
#ifndef NODEPROFILE_JSONSPAN_H
#define NODEPROFILE_JSONSPAN_H

#include "common/base/text.h"

/* Take the first member, with the "{" or "," before it, off an object. The key is without its quotes,
 * the value as it is written; both are borrowed. Return false at the end of the object. */
bool jsonspan_member(struct span *object, struct span *key, struct span *value);

/* Take the first element, with the "[" or "," before it, off an array. Return false at the end of the
 * array. */
bool jsonspan_element(struct span *array, struct span *value);

/* Return the value of this key, as it is written; empty if the object has none. */
struct span jsonspan_find(struct span object, struct span key);

/* Return a string without its quotes, its escapes as they are; empty if the value is no string. */
struct span jsonspan_string(struct span value);

/* Append the text that a string without its quotes stands for, in UTF-8. A surrogate without its
 * partner becomes U+FFFD, a \u without its digits NUL; an escape that does not exist is left out. */
void jsonspan_decode(struct text *to, struct span string);

#endif
