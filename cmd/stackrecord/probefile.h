/* The file uprobe_events of tracefs, which lists the uprobes and takes commands that change them.
 */
#ifndef STACKRECORD_PROBEFILE_H
#define STACKRECORD_PROBEFILE_H

#include "common/base/text.h"

/* Writes one command: "p:GROUP/NAME FILE:0xOFFSET" or "-:GROUP/NAME". False, with errno set. */
bool probefile_command(const char *tracefs, struct span command);

/* Removes all uprobes for whose group wanted(ctx, group) is true. False, with errno set and the
 * first such uprobe in *left, "GROUP/NAME", which the caller frees, if one is still there. */
bool probefile_remove(const char *tracefs, bool (*wanted)(void *ctx, struct span group), void *ctx,
                      struct text *left);

#endif
