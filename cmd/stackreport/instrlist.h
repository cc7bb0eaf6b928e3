/* Writes the instructions of functions with their shares, for --instructions:
 *
 *     parse: self 40.00 %, total 60.00 %
 *         self   total      offset  /srv/app
 *                              +0x0  push   %rbp
 *        40.00   40.00         +0x4  movzbl (%rdi),%eax
 */
#ifndef STACKREPORT_INSTRLIST_H
#define STACKREPORT_INSTRLIST_H

#include "cmd/stackreport/linecount.h"
#include "common/base/out.h"

/* Write at most `top` functions; 0: all. */
void instrlist_write(const struct linecount *c, size_t top, struct out *o);

#endif
