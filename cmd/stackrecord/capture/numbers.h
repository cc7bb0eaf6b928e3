/* Lists of numbers as the kernel and command lines write them: "0-3,8". */
#ifndef STACKRECORD_NUMBERS_H
#define STACKRECORD_NUMBERS_H

#include <stdint.h>

#include "common/base/span.h"

/* Numbers in the order in which they were added. {0} is an empty list; the owner frees `at`. */
struct numbers {
    int32_t *at;
    size_t count, cap;
};

void numbers_add(struct numbers *n, int32_t number);

bool numbers_has(const struct numbers *n, int32_t number);

/* Add the numbers of a list, each once: "1,2", also with blanks or newlines between them as pgrep
 * prints them, and with `ranges` also "0-3,8". Return false if the text is no such list or
 * empty, a number is over 2^31 - 1, or a range has over 65,536 numbers; what came before is added. */
bool numbers_parse(struct numbers *n, struct span text, bool ranges);

/* Add the CPUs that are online. */
void numbers_online_cpus(struct numbers *n);

#endif
