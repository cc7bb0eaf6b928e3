/* Text that is compressed into gzip's format, and written in base64 (RFC 4648): a page holds its
 * table so. */
#ifndef FLAMESVG_PACKED_H
#define FLAMESVG_PACKED_H

#include "common/base/deflate.h"
#include "common/base/out.h"

struct packed {
    struct out text; /* to write to */
    struct out *to;  /* private, as the rest; borrowed */
    struct deflate *deflate;
    struct text bytes; /* that are compressed, and not written yet */
};

/* Start to pack what is written to p->text, and write it to `to`. */
void packed_start(struct packed *p, struct out *to);

/* Write the rest. */
void packed_finish(struct packed *p);

#endif
