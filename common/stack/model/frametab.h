/* A table of frames. Each frame is parsed once, when it is first seen, and gets a number, from 0
 * on. Equal lines, and equal parts, have equal numbers. Consumers store data about frames (a
 * cleaned name, keep or drop, a kind) in an array indexed by that number, and clear the array if
 * frametab_was_emptied. */
#ifndef STACK_FRAMETAB_H
#define STACK_FRAMETAB_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/stack/model/frame.h"

/* Parse a frame line, with its leading white space and its newline, and optionally its source line
 * and another newline. Return false if the text is not a frame. */
typedef bool frame_parser(struct span text, struct frame *f);

/* Public so that perftext's inner loop can compare lines[number]; only the functions change it. */
struct frametab {
    frame_parser *parse;
    struct intern texts;  /* lines; or the key of a frame that was added by its parts */
    struct frame *frames; /* by number; they borrow from `texts` */
    size_t cap;
    size_t bytes;        /* size of the texts */
    uint32_t generation; /* number of times that the table was emptied: see frametab_was_emptied */
    struct text key;
};

/* Initialize an empty table whose lines are parsed by `parse`. */
void frametab_init(struct frametab *t, frame_parser *parse);

/* Return the number of a frame line, which is copied if it is new. A text that is not a frame
 * becomes a frame with the text as its symbol. */
uint32_t frametab_line(struct frametab *t, struct span text);

/* Return the number of the frame with these parts, which are copied if they are new. */
uint32_t frametab_add(struct frametab *t, const struct frame *parts);

/* Return the number of a line that was added; INTERN_NONE if there is none. */
static inline uint32_t
frametab_find(const struct frametab *t, struct span text)
{
    return intern_find(&t->texts, text);
}

/* Return the text of a frame that was added as a line. Valid until the table is emptied or
 * freed. */
static inline struct span
frametab_text(const struct frametab *t, uint32_t number)
{
    return intern_text(&t->texts, number);
}

/* Return the number of frames; all frame numbers are smaller. */
static inline size_t
frametab_count(const struct frametab *t)
{
    return t->texts.count;
}

enum { FRAMETAB_FRAMES = 1 << 17, FRAMETAB_BYTES = 16 << 20 };

/* Return true if the table has FRAMETAB_FRAMES frames, or FRAMETAB_BYTES bytes of text. A program
 * that prints frames immediately should then empty it. */
static inline bool
frametab_is_full(const struct frametab *t)
{
    return t->texts.count >= FRAMETAB_FRAMES || t->bytes >= FRAMETAB_BYTES;
}

/* Return the parts of a frame. Their texts are valid until the table is emptied or freed; the
 * struct, until the next frame is added. */
static inline const struct frame *
frametab_frame(const struct frametab *t, uint32_t number)
{
    return &t->frames[number];
}

/* Empty the table: frames get new numbers from now on. */
void frametab_empty(struct frametab *t);

/* Return true if the table was emptied since the last call with this variable, at first 0: frame
 * numbers from before are invalid. */
static inline bool
frametab_was_emptied(const struct frametab *t, uint32_t *generation)
{
    bool emptied = *generation != t->generation;
    *generation = t->generation;
    return emptied;
}

/* Return the table's size in memory, in bytes. */
size_t frametab_size(const struct frametab *t);

void frametab_free(struct frametab *t);

#endif
