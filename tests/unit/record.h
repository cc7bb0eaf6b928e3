/* Decodes one record that a test has built. */
#ifndef UNIT_RECORD_H
#define UNIT_RECORD_H

#include "common/event/record.h"
#include "tests/unit/bytes.h"
#include "tests/unit/test.h"

static struct arena names;

/* Return a set of one event whose records have sample_id. */
static struct eventset
events_of(struct event e)
{
    struct eventset set = {0};
    e.flags |= 1 << FLAG_SAMPLE_ID_ALL;
    eventset_add(&set, &e, &names);
    return set;
}

/* Decode a record with these fields, which must succeed. `all` keeps its bytes. */
static struct record
decode(const struct eventset *set, uint32_t type, uint16_t misc, struct text *fields,
       struct text *all)
{
    struct record r;
    all->len = 0;
    put_record(all, type, misc, text_span(fields));
    CHECK(record_decode(set, text_span(all), &r) == NULL);
    CHECK(r.type == type && r.misc == misc && r.bytes.len == all->len);
    fields->len = 0;
    return r;
}

static void
drop(struct eventset *set, struct text *fields, struct text *all)
{
    eventset_free(set);
    free(fields->ptr);
    free(all->ptr);
    *fields = *all = (struct text){0};
}

#endif
