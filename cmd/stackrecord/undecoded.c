#include "cmd/stackrecord/undecoded.h"

static void
take(struct recordsink *sink, const struct record *r)
{
    struct undecoded *u = (struct undecoded *)sink; /* its first member */
    u->to->record(u->to, r->bytes);
}

static void
end_round(struct recordsink *sink)
{
    struct undecoded *u = (struct undecoded *)sink;
    u->to->round(u->to);
}

static void
finish(struct recordsink *sink)
{
    struct undecoded *u = (struct undecoded *)sink;
    u->to->finish(u->to);
}

void
undecoded_init(struct undecoded *u, struct rawsink *to)
{
    *u = (struct undecoded){.sink = {take, end_round, finish}, .to = to};
}
