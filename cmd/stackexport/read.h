/* Reads perf script text and folded stacks, and passes the stacks to the writer of the output
 * format. */
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
    enum unit unit;           /* unit of the counts of folded stacks */
    bool no_comm;             /* folded stacks do not begin with a command name */
    const char *host;         /* name of the machine; NULL: as named in each file */
    struct eventlist *events; /* value of --event; NULL: not given */
};

struct reader {
    const struct read_options *options;
    struct export *export;
    struct input input; /* the caller starts and frees it */
    uint64_t samples;   /* number of samples in perf script text, those left out included */
    uint64_t lines;     /* number of folded stacks */

    /* private from here */
    bool started; /* the export's unit is known */
    struct perftext perf;
    struct eventchoice events;
    struct foldname_options name_options;
    struct foldname names;
    uint64_t no_period;      /* number of samples without a period */
    uint64_t without_frames; /* number of samples with neither frames nor command */
    VEC(uint32_t) stack;     /* stack of the last sample or line, root first */
    /* For each frame number of perf script text: 1 + the index of its list in `lists`; 0: not
     * known. A list is the number of its frames, then the exported frames, root first. */
    VEC(uint32_t) known;
    VEC(uint32_t) lists;
    uint32_t generation; /* as of frametab_was_emptied, for `known` and `lists` */
    /* The last sample's ids and command, as bytes; its thread; and the frame of its command. */
    struct text last;
    uint32_t thread, comm;
    struct foldedsplit split;
    VEC(uint32_t) by_name; /* for each number of a name in folded text: its frame + 1; 0: none */
    uint32_t all;          /* name of the thread of stacks without a command */
};

/* Set up a reader, which is large: do not copy it. Borrow the options and the export. */
void reader_init(struct reader *r, const struct read_options *options, struct export *e);

/* Read the file that is open in r->input. */
void reader_read(struct reader *r);

/* Report which parts of the input were not exported. */
void reader_report(struct reader *r);

#endif
