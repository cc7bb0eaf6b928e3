/* Parts of the replaced scripts: how they build stacks, which some print at once instead of adding
 * up equal ones; and how awk, Perl and PHP read numbers and words from text. */
#ifndef STACKCOLLAPSE_SCRIPTPARTS_H
#define STACKCOLLAPSE_SCRIPTPARTS_H

#include "cmd/stackcollapse/shared/stacker.h"

/* As stacker_push_leaf_first, but if the stack is empty, an empty name adds no frame: such scripts
 * write no ";" before their first frame. */
void scriptstack_prepend(struct stacker *f, struct span name);

/* Count a sample and add the stack, root first, to the profile. An empty stack becomes one frame
 * with an empty name. */
void scriptstack_emit(struct stacker *f, struct decimal count);

/* As counted_end, but a number with white space after it is a frame, and the stack is emitted by
 * scriptstack_emit. */
bool scriptstack_count(struct stacker *f, struct span line);

/* Count a sample and print the stack, root first, at once. */
void scriptstack_print(struct stacker *f, struct span count);

/* The state of a script that reads a call tree line by line. */
struct scriptlevels {
    struct stacker base;
    struct intern names;
    struct u32vec list; /* of names, by level */
    size_t depth;       /* level of the last line; only the format uses it */
    struct text text;   /* buffer of the format */
};

/* Initializers for the struct format of each such script. */
#define SCRIPTLEVELS_FORMAT                                                                        \
    .state_size = sizeof(struct scriptlevels), .interns = MEMBERS(struct scriptlevels, names),     \
    .buffers = MEMBERS(struct scriptlevels, list, text)

/* Set the name of a level, which stays until the next call for that level. Lower levels that have
 * never had a name get an empty one. */
void scriptlevels_set(struct scriptlevels *l, size_t level, struct span name);

/* Count a sample, and print the names of the first n levels as a stack. All n must have names. */
void scriptlevels_print(struct scriptlevels *l, size_t n, struct span count);

/* Report an error at the last line, stop reading, and set the exit status. What was printed before
 * stays. */
void script_fail(struct stacker *f, const char *why, int status);

/* Do the same with the exit status of a Perl script that calls die() there. */
void script_die(struct stacker *f, const char *why);

/* Return the length of the decimal number at the start of the text; 0 if there is none. */
size_t scriptnum_length(struct span text);

/* Return the value of that number, from its first 63 characters; 0 if there is none. */
double scriptnum(struct span text);

/* Match n words as / *([^ ]*) ([^ ]*) / does for two: after each there is a blank, and words may be
 * empty. Leading blanks are skipped, except those that must be the blanks after empty words, since
 * the text has too few others. Return false, without a match, if there are fewer than n blanks. */
bool script_words(struct span text, struct span *words, size_t n);

/* Match "java  4567/8603 ": a command name, white space, digits, any number of slashes, optional
 * digits, white space. Of all matches, take the one with the shortest command name of at least two
 * characters. Return false if there is none. */
bool script_task(struct span line, struct span *comm, struct span *pid, struct span *tid);

/* Remove the next word, as awk separates them by blanks and tabs, from *rest. Return false if there
 * is none. */
bool awk_word(struct span *rest, struct span *word);

/* Return true if the text is true in awk: if it is neither empty nor a number equal to zero. */
bool awk_is_true(struct span text);

#endif
