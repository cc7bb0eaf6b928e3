/* What the formats that are JSON have in common. */
#ifndef STACKCOLLAPSE_JSONFILE_H
#define STACKCOLLAPSE_JSONFILE_H

#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/json.h"

/* How to read a member of an object. A table of fields ends with FIELD_END; members that are not in
 * the table are skipped. */
struct jsonfield {
    struct span key;
    enum jsonfield_kind {
        JSONFIELD_TEXT,
        JSONFIELD_U64,
        JSONFIELD_INDEX,
        JSONFIELD_SEEN,
        JSONFIELD_VALUE,
        JSONFIELD_OBJECT,
        JSONFIELD_OBJECTS,
        JSONFIELD_ELEMENTS,
        JSONFIELD_TREE,
        JSONFIELD_INSIDE,
    } kind;
    size_t at; /* offset of the target in *ctx; for INSIDE, the enum json_item */
    void (*read)(void *ctx, struct json *j);
};

#define FIELD(key, kind, at, read)                                                                 \
    {                                                                                              \
        SPAN(key), JSONFIELD_##kind, at, read                                                      \
    }

/* Store the value in a member of *ctx. TEXT: a string in a struct text, empty if the value is not a
 * string. U64: a whole number, 0 or more, in a uint64_t, UINT64_MAX if the value is not one. INDEX:
 * the result of jsonfile_index in a uint32_t. SEEN: true in a bool, whatever the value is. */
#define FIELD_TEXT(key, type, member)  FIELD(key, TEXT, offsetof(type, member), NULL)
#define FIELD_U64(key, type, member)   FIELD(key, U64, offsetof(type, member), NULL)
#define FIELD_INDEX(key, type, member) FIELD(key, INDEX, offsetof(type, member), NULL)
#define FIELD_SEEN(key, type, member)  FIELD(key, SEEN, offsetof(type, member), NULL)

/* Call read(). VALUE: to read the value. OBJECT: after the "{" of an object. OBJECTS: after the "{"
 * of each object in an array. ELEMENTS: after the first item of each element of an array. A value
 * of another kind is skipped, and so is any part of an element that read() does not read. */
#define FIELD_VALUE(key, read)    FIELD(key, VALUE, 0, read)
#define FIELD_OBJECT(key, read)   FIELD(key, OBJECT, 0, read)
#define FIELD_OBJECTS(key, read)  FIELD(key, OBJECTS, 0, read)
#define FIELD_ELEMENTS(key, read) FIELD(key, ELEMENTS, 0, read)
#define FIELD_END                 FIELD("", VALUE, 0, NULL)

/* Enter an object, or an array of objects, and read its members as if they were members of the
 * outer object. */
#define FIELD_INSIDE(key, item) FIELD(key, INSIDE, item, NULL)

/* Read a call tree into the struct jsontree *ctx: a node with all nodes below it, which are in its
 * member "children", at any depth. Call read() after the key of each other member of a node, which
 * is t->node, to read the value. */
#define FIELD_TREE(key, read) FIELD(key, TREE, 0, read)

/* Read the value of the member whose key was just read, by its field. Return false if it has no
 * field: its value was then read by json_scalar(). */
bool jsonfile_member(struct json *j, const struct jsonfield *fields, void *ctx);

/* Read the members of an object, whose "{" was read. */
void jsonfile_object(struct json *j, const struct jsonfield *fields, void *ctx);

/* Return true if the head of a file is JSON: an object, or an array of objects. Text of other
 * formats may begin with a bracket too. */
bool jsonfile_is(struct span head);

/* Return true if the JSON text in `head` has a member with this name, in any object. */
bool jsonfile_has(struct span head, struct span key);

/* Call read(ctx, j) as FIELD_ELEMENTS does for the next value, or if `objects` as FIELD_OBJECTS. */
void jsonfile_elements(struct json *j, void (*read)(void *ctx, struct json *j), void *ctx,
                       bool objects);

/* Return the value read last, an index into a table; JSONFILE_NONE if it cannot be one. */
uint32_t jsonfile_index(const struct json *j);

#define JSONFILE_NONE UINT32_MAX

/* Return the value read last as a weight. If it is not a weight, report that, and return 0. */
struct decimal jsonfile_weight(struct stacker *s, const struct json *j);

/* Append the place of a function to its name: " (app.py:3)". Line 0 and UINT64_MAX mean unknown. */
void jsonfile_add_place(struct text *name, struct span file, uint64_t line);

/* End the file: read the rest of the text, and report an error in it, once. Keep what was read
 * before the error. Return false after an error. */
bool jsonfile_end(struct stacker *s, struct json *j);

/* Fold a file that is an object. */
void jsonfile_fold(struct stacker *f, const struct jsonfield *members);

/* Add the value read last to `strings`, and return its number plus 1; 0 if it is not a string. */
uint32_t jsonfile_string(struct intern *strings, const struct json *j);

/* Return the text for a result of jsonfile_string; empty for 0. */
struct span jsonfile_text(const struct intern *strings, uint32_t string);

struct jsontree_node {
    uint32_t parent; /* index of the parent, less than the node's own; JSONTREE_NONE for the root */
    uint32_t name;   /* number of its name in the profile; "[unknown]" until it is set */
    uint32_t id;     /* the format's id for the node; JSONTREE_NONE: none */
    uint64_t self;   /* count of the function itself */
};

#define JSONTREE_NONE UINT32_MAX

/* The first member of the state of a format whose nodes hold the nodes that they call. */
struct jsontree {
    struct stacker base;
    VEC(struct jsontree_node) nodes;
    struct jsontree_node *node; /* the one whose members are read */
};

/* Fold a file whose outermost object is the root of a call tree: read the tree as FIELD_TREE does.
 */
void jsonfile_read_tree(struct jsontree *t, void (*read)(void *ctx, struct json *j));

/* Turn totals into self counts: subtract from each node's count the counts of its children. Return
 * the number of nodes whose count is less than that sum; their self count becomes 0. */
uint64_t jsonfile_subtract(struct jsontree *t);

/* Add the stacks of the nodes with their counts to the profile, and free the nodes. Each node with
 * a count is a sample. Use this as finish(). */
void jsonfile_fold_tree(struct stacker *tree);

#endif
