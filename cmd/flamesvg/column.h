/* The members of the JSON object that holds the table of frames. */
#ifndef FLAMESVG_COLUMN_H
#define FLAMESVG_COLUMN_H

#include "cmd/flamesvg/canvas.h"

/* Writes a member's key, after the comma that ends the one before it. */
void column_start(const struct canvas *c, const char *key);

/* Writes a text as a string. */
void column_string(const struct canvas *c, struct span s);

/* Writes a member that is an array of all the texts. */
void column_strings(const struct canvas *c, const char *key, const struct intern *texts);

/* Writes a member that is a string of numbers, as base32_put writes them. */
void column_numbers(const struct canvas *c, const char *key, const uint32_t *numbers, size_t count);

#endif
