/* What is in the input: counted sample by sample, then said as text or as JSON. */
#ifndef PERF_SCRIPT_CHECK_H
#define PERF_SCRIPT_CHECK_H

#include "common/base/diag.h"
#include "common/stack/roots.h"

enum { CHECK_PLACES = 10 };

/* {0} is an empty one. */
struct check {
    uint64_t samples;
    uint64_t no_pid, no_time, no_cpu, no_period; /* samples that do not print the field */
    uint64_t first, last;                        /* ns; of the samples that print a time */
    struct tally events;                         /* sum: of the periods */
    struct tally comms;

    uint64_t chains; /* samples with frames below their header */
    uint64_t empty;  /* without any frame */
    uint64_t cut;    /* at ROOTS_MAX_STACK frames */
    uint64_t single; /* with one user frame and no more */

    struct roots roots;
    struct roots_result broken; /* by check_finish */

    uint64_t records;
    uint64_t lost_records, lost; /* PERF_RECORD_LOST and the events that they speak of */

    uint64_t skipped; /* lines, and where the first of them are */
    struct place places[CHECK_PLACES];

    /* From here by check_finish. */
    uint64_t frames, lines;          /* and how many of them differ */
    uint64_t nameless, nameless_jit; /* frames without a name; of those, outside every file */
    uint64_t cut_names;              /* frame lines whose name seems cut */
    struct tally dsos;               /* frames, sum: of those without a name */

    uint64_t *uses; /* of each frame, by its number */
    size_t uses_cap;
    size_t nuses;
    unsigned char *kinds;
    size_t kinds_cap;
};

/* Counts a sample, whose frames are in the frametab. */
void check_sample(struct check *c, const struct frametab *frames, const struct sample *s);

/* Counts a record that is no sample; `lost` is how many samples it says were lost. */
void check_record(struct check *c, uint64_t lost);

/* Counts a line that was skipped. `at.file` is borrowed. */
void check_skipped(struct check *c, struct place at);

/* Sums up. To be called once, before any report. */
void check_finish(struct check *c, const struct frametab *frames);

#endif
