/* Compresses text to gzip's format and writes it in base64 (RFC 4648), for the table of a page. */
#ifndef FLAMESVG_PACKED_H
#define FLAMESVG_PACKED_H

#include "common/base/deflate.h"
#include "common/base/out.h"

struct packed {
    struct out text; /* to write to */
    struct out *to;  /* private, as the rest; borrowed */
    struct deflate *deflate;
    struct text bytes; /* compressed bytes that are not written yet */
};

/* Start. Text written to p->text is packed and written to `to`. */
void packed_start(struct packed *p, struct out *to);

/* Finish: write the rest. */
void packed_finish(struct packed *p);

#endif
