/* Frames by number. A frame is parsed once, when it is first seen, and gets a number, from 0 on;
 * equal lines, and equal parts, have equal numbers. Consumers keep what they compute about a frame
 * (a cleaned name, keep or drop, a kind) in an array indexed by that number, and clear the array
 * once frametab_was_emptied. */
#ifndef STACK_FRAMETAB_H
#define STACK_FRAMETAB_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/stack/model/frame.h"

/* Parse a frame line, with its leading white space and its newline, and perhaps its source line and
 * another newline after it. Return false if the text is not a frame. */
typedef bool frame_parser(struct span text, struct frame *f);

/* Open so that perftext's inner loop can compare lines[number]; change it through the functions. */
struct frametab {
    frame_parser *parse;
    struct intern texts;  /* lines, or the key of a frame that was added by its parts */
    struct frame *frames; /* by number; they borrow from `texts` */
    size_t cap;
    size_t bytes;        /* of the texts */
    uint32_t generation; /* how often the table was emptied: see frametab_was_emptied */
    struct text key;
};

/* Start an empty table whose lines are parsed by `parse`. */
void frametab_init(struct frametab *t, frame_parser *parse);

/* Return the number of a frame line, which is copied when it is new. A text that is not a frame
 * becomes a frame whose symbol is the text. */
uint32_t frametab_line(struct frametab *t, struct span text);

/* Return the number of the frame with these parts, which are copied when they are new. */
uint32_t frametab_add(struct frametab *t, const struct frame *parts);

/* Return the number of a line that was added, or INTERN_NONE. */
static inline uint32_t
frametab_find(const struct frametab *t, struct span text)
{
    return intern_find(&t->texts, text);
}

/* Return the text of a frame that was added as a line; valid until the table is emptied or freed. */
static inline struct span
frametab_text(const struct frametab *t, uint32_t number)
{
    return intern_text(&t->texts, number);
}

/* Return how many frames there are: numbers are below it. */
static inline size_t
frametab_count(const struct frametab *t)
{
    return t->texts.count;
}

enum { FRAMETAB_FRAMES = 1 << 17, FRAMETAB_BYTES = 16 << 20 };

/* Return true if a program that prints frames as they come should empty the table: it has
 * FRAMETAB_FRAMES frames, or FRAMETAB_BYTES bytes of their texts. */
static inline bool
frametab_is_full(const struct frametab *t)
{
    return t->texts.count >= FRAMETAB_FRAMES || t->bytes >= FRAMETAB_BYTES;
}

/* Return the parts of a frame. Their texts are valid until the table is emptied or freed, the struct
 * until the next frame is added. */
static inline const struct frame *
frametab_frame(const struct frametab *t, uint32_t number)
{
    return &t->frames[number];
}

/* Empty the table, so that frames get other numbers from now on. */
void frametab_empty(struct frametab *t);

/* Return true if the table was emptied since the last call with this variable, at first 0: what was
 * kept by frame number since then means other frames. */
static inline bool
frametab_was_emptied(const struct frametab *t, uint32_t *generation)
{
    bool emptied = *generation != t->generation;
    *generation = t->generation;
    return emptied;
}

/* Return how much memory the table takes, in bytes. */
size_t frametab_size(const struct frametab *t);

void frametab_free(struct frametab *t);

#endif
