/* Lists of numbers, as the kernel and users write them: "0-3,8". */
#ifndef MACHINE_NUMBERS_H
#define MACHINE_NUMBERS_H

#include <stdint.h>

#include "common/base/span.h"

/* Numbers in the order of their addition. {0} is empty; the owner frees `at`. */
struct numbers {
    int32_t *at;
    size_t count, cap;
};

void numbers_add(struct numbers *n, int32_t number);

bool numbers_has(const struct numbers *n, int32_t number);

/* Add the numbers of a list such as "1,2", each once. They may also be separated by blanks or
 * newlines, as pgrep prints them; with `ranges` the list may be "0-3,8". Return false if the text
 * is no such list, or empty, if a number exceeds 2^31 - 1, or if a range has more than 65,536
 * numbers; the numbers before the error are added. */
bool numbers_parse(struct numbers *n, struct span text, bool ranges);

/* Add the CPUs that are online. */
void numbers_online_cpus(struct numbers *n);

#endif
