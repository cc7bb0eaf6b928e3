/* What the formats that are JSON have in common. */
#ifndef STACKCOLLAPSE_JSONFILE_H
#define STACKCOLLAPSE_JSONFILE_H

#include "cmd/stackcollapse/build/reader.h"

/* What to do with the value of an object's member; other members are skipped. A table of them ends
 * with FIELD_END. */
struct jsonfield {
    struct span key;
    enum jsonfield_kind {
        JSONFIELD_TEXT,
        JSONFIELD_U64,
        JSONFIELD_VALUE,
        JSONFIELD_OBJECT,
        JSONFIELD_OBJECTS,
        JSONFIELD_ELEMENTS,
    } kind;
    size_t at; /* offset of a member in what `ctx` points to */
    void (*read)(void *ctx, struct json *j);
};

#define FIELD(key, kind, at, read)                                                                 \
    {                                                                                              \
        SPAN(key), JSONFIELD_##kind, at, read                                                      \
    }

/* Store a string in a struct text, which becomes empty if the value is no string; or a whole number
 * from 0 on in a uint64_t, which becomes UINT64_MAX if the value is none. */
#define FIELD_TEXT(key, type, member) FIELD(key, TEXT, offsetof(type, member), NULL)
#define FIELD_U64(key, type, member)  FIELD(key, U64, offsetof(type, member), NULL)

/* Call read() to read the value; after the "{" of an object; after the "{" of each object in an
 * array; or for each element of an array, whose first item was read. A value of another kind is
 * skipped, and the rest of an element. */
#define FIELD_VALUE(key, read)    FIELD(key, VALUE, 0, read)
#define FIELD_OBJECT(key, read)   FIELD(key, OBJECT, 0, read)
#define FIELD_OBJECTS(key, read)  FIELD(key, OBJECTS, 0, read)
#define FIELD_ELEMENTS(key, read) FIELD(key, ELEMENTS, 0, read)
#define FIELD_END                 FIELD("", VALUE, 0, NULL)

/* Read the value of the member whose key was read last as its field says. Return false if there is
 * none: then json_scalar() has read it. */
bool jsonfile_member(struct json *j, const struct jsonfield *fields, void *ctx);

/* Read the members of an object, whose "{" was read. */
void jsonfile_object(struct json *j, const struct jsonfield *fields, void *ctx);

/* Return true if the head of a file is JSON: an object, or an array of objects. Text of other
 * formats may begin with a bracket too. */
bool jsonfile_is(struct span head);

/* Return true if the JSON text in `head` has a member of this name. */
bool jsonfile_has(struct span head, struct span key);

/* Call read(ctx, j) as FIELD_ELEMENTS does for the next value. */
void jsonfile_elements(struct json *j, void (*read)(void *ctx, struct json *j), void *ctx);

/* End the file: read the rest of the text, and report an error in it, once. What came before the
 * error counts. Return false after an error. */
bool jsonfile_end(struct reader *f);

/* Fold a file that is an object. */
void jsonfile_fold(struct reader *f, const struct jsonfield *members);

#endif
