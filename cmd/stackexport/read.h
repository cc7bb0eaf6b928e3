/* Reads perf script text and folded stacks, and passes the stacks to the format's writer. */
#ifndef STACKEXPORT_READ_H
#define STACKEXPORT_READ_H

#include "cmd/stackexport/export.h"
#include "common/stack/model/eventchoice.h"
#include "common/stack/model/foldname.h"
#include "common/stack/model/measure.h"
#include "common/stack/text/foldedsplit.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct read_options {
    enum input_format from;
    enum weight weight;
    enum unit unit;           /* of folded stacks' counts */
    bool no_comm;             /* folded stacks do not begin with a command name */
    const char *host;         /* the machine's name; NULL: what each file says */
    struct eventlist *events; /* --event; NULL: no such option */
};

struct reader {
    const struct read_options *options;
    struct export *export;
    struct input input; /* to be started by the caller, and freed */
    uint64_t samples;   /* of perf script text, also those that are left out */
    uint64_t lines;     /* folded stacks */

    /* private from here */
    bool started; /* the export's unit is known */
    struct perftext perf;
    struct eventchoice events;
    struct foldname_options name_options;
    struct foldname names;
    uint64_t no_period;
    uint64_t without_frames; /* samples that have no command either */
    VEC(uint32_t) stack;     /* of the last sample or line */
    /* By frame number of perf script text: where its list in `lists` is, + 1. A list is a count,
     * and then that many frames, root first. */
    VEC(uint32_t) known;
    VEC(uint32_t) lists;
    uint32_t generation; /* of the frames */
    /* Of the last sample: its command and ids, its thread, and the frame of its command. */
    struct text last;
    uint32_t thread, comm;
    struct foldedsplit split;
    VEC(uint32_t) by_name; /* by the number of a name in folded text: its frame + 1 */
    uint32_t all;          /* the thread of stacks without a command */
};

/* Set up a reader, which is large: do not copy it. Borrow all. */
void reader_init(struct reader *r, const struct read_options *options, struct export *e);

/* Read the file that is open in r->input. */
void reader_read(struct reader *r);

/* Report what of the input was not exported. */
void reader_report(struct reader *r);

#endif
