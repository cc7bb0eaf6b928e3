/* The tables of a profile of pprof. Its entries are not yet decoded: see pprof.c. */
#ifndef STACKCOLLAPSE_PPROFDATA_H
#define STACKCOLLAPSE_PPROFDATA_H

#include "cmd/stackcollapse/build/protobuf.h"

/* Fields of message Profile, and where the entries are in pprofdata.tables. */
enum pprof_field {
    PPROF_SAMPLE_TYPE = 1,
    PPROF_SAMPLE = 2,
    PPROF_MAPPING = 3,
    PPROF_LOCATION = 4,
    PPROF_FUNCTION = 5,
    PPROF_STRING = 6,
    PPROF_TIME = 9,
    PPROF_DEFAULT_TYPE = 14,
};

struct pprof_entry {
    uint64_t id; /* of mappings, locations and functions */
    struct span message;
};

struct pprof_table {
    struct pprof_entry *entries;
    size_t count, cap;
};

/* {0} is an empty one. */
struct pprofdata {
    /* By enum pprof_field, up to PPROF_FUNCTION; the last three sorted by id. */
    struct pprof_table tables[PPROF_FUNCTION + 1];
    struct span *strings;
    size_t nstrings, strings_cap;
    uint64_t default_type; /* a string's index; 0: none is given */
    bool has_time;
    bool joined; /* several profiles stand one after the other, so indexes mean nothing */
};

/* True if the file with this head is a profile. */
bool pprofdata_is(struct span head);

/* Reads a profile, which is borrowed until pprofdata_free; *d is empty. NULL, or what is wrong,
 * with its offset in *at; then the fields before it are read. */
const char *pprofdata_read(struct pprofdata *d, struct span profile, size_t *at);

/* The entry of a mapping, location or function; NULL if there is none. */
const struct pprof_entry *pprofdata_find(const struct pprof_table *t, uint64_t id);

void pprofdata_free(struct pprofdata *d);

#endif
