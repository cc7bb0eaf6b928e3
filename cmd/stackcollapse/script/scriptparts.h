/* What the replaced scripts do with stacks, which some print at once instead of adding up equal
 * ones; and numbers and words as awk, Perl and PHP read them from text. */
#ifndef STACKCOLLAPSE_SCRIPTPARTS_H
#define STACKCOLLAPSE_SCRIPTPARTS_H

#include "cmd/stackcollapse/shared/stacker.h"

/* As stacker_push_leaf_first, for a script that writes no ";" before its first frame: an empty name
 * adds no frame as long as the stack is empty. */
void scriptstack_prepend(struct stacker *f, struct span name);

/* Count a sample and add the stack, root first, to the profile; an empty one as one empty frame. */
void scriptstack_emit(struct stacker *f, struct decimal count);

/* As counted_end; but white space after the number makes the line a frame, and the stack is emitted
 * by scriptstack_emit. */
bool scriptstack_count(struct stacker *f, struct span line);

/* Count a sample and print the stack, root first, at once. */
void scriptstack_print(struct stacker *f, struct span count);

/* The state of a script that reads a call tree line by line. */
struct scriptlevels {
    struct stacker base;
    struct intern names;
    struct u32vec list; /* of names, by level */
    size_t depth;       /* of the last line; the format's */
    struct text text;   /* the same */
};

/* What the struct format of each has. */
#define SCRIPTLEVELS_FORMAT                                                                        \
    .state_size = sizeof(struct scriptlevels), .interns = MEMBERS(struct scriptlevels, names),     \
    .buffers = MEMBERS(struct scriptlevels, list, text)

/* Set the name of a level, which stays until another of this level comes. Levels above it that have
 * none get an empty one. */
void scriptlevels_set(struct scriptlevels *l, size_t level, struct span name);

/* Count a sample and print the names of the first n levels, which are set, as a stack. */
void scriptlevels_print(struct scriptlevels *l, size_t n, struct span count);

/* Report an error at the last line, end the reading, and set the exit status. What was printed before
 * stays. */
void script_fail(struct stacker *f, const char *why, int status);

/* The same as a Perl script that dies there. */
void script_die(struct stacker *f, const char *why);

/* Return the length of the decimal number that the text begins with; 0 if it begins with none. */
size_t scriptnum_length(struct span text);

/* Return its value, of at most 63 characters; 0 if there is none. */
double scriptnum(struct span text);

/* Match / *([^ ]*) ([^ ]*) /: words[] are n words with a blank after each, which may be empty.
 * Blanks before the first that are not needed after a word are passed over. */
bool script_words(struct span text, struct span *words, size_t n);

/* Match "java  4567/8603 ": a command name, white space, digits, any slashes, perhaps digits, white
 * space; the shortest command name of two characters and more that a match allows. */
bool script_task(struct span line, struct span *comm, struct span *pid, struct span *tid);

/* Take awk's next word, which blanks and tabs separate, off *rest; false if there is none. */
bool awk_word(struct span *rest, struct span *word);

/* Return true if awk takes the text for true: it is neither empty nor a number that is zero. */
bool awk_is_true(struct span text);

#endif
