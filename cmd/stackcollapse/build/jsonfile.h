/* What the formats that are JSON have in common. */
#ifndef STACKCOLLAPSE_JSONFILE_H
#define STACKCOLLAPSE_JSONFILE_H

#include "cmd/stackcollapse/collapse.h"
#include "common/base/json.h"
#include "common/base/text.h"

/* True if the head of a file is JSON: an object, or an array of objects. Text of other formats may
 * begin with a bracket too. */
bool jsonfile_is(struct span head);

/* True if the JSON text in `head` has a member of this name. */
bool jsonfile_has(struct span head, struct span key);

/* Starts on the file that is open in c->input. */
void jsonfile_start(struct json *j, struct collapse *c);

/* Read the next value into *t, which is empty if it is no string. */
void jsonfile_text(struct json *j, struct text *t);

/* Read the next value, an array, and call read(ctx) after the "{" of each object in it, to read
 * that. Skip other elements, and a value that is no array. */
void jsonfile_objects(struct json *j, void (*read)(void *ctx), void *ctx);

/* Ends the file: reads the rest of the text, and reports an error in it, once. What came before
 * the error counts. False after an error. */
bool jsonfile_end(struct json *j, struct collapse *c);

#endif
