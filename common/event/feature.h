/* The features of a recording (HEADER_* in tools/perf/util/header.h of the Linux source):
 * build-ids, names of events, tracing data, the machine. They are sections of a perf.data file, or
 * records of pipe mode. For perfdata.c, section.c, datastart.c and
 * featurewrite.c. */
#ifndef EVENT_FEATURE_H
#define EVENT_FEATURE_H

#include "common/event/perfdata.h"

/* HEADER_* of tools/perf/util/header.h: those that are read or written, or that tell what
 * cannot be read. */
enum feature {
    FEATURE_TRACING_DATA = 1,
    FEATURE_BUILD_ID = 2,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_ARCH = 6,
    FEATURE_NRCPUS = 7,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_AUXTRACE = 18,
    FEATURE_SAMPLE_TIME = 21,
    FEATURE_CLOCKID = 23,
    FEATURE_DIR_FORMAT = 24,
    FEATURE_COMPRESSED = 27,
    FEATURES = 256,
};

/* True if feature_use does something with it. */
bool feature_wanted(unsigned feature);

/* Takes a feature's data over; they must live as long as p. Returns NULL, or what is wrong with
 * them; then what came before the damage is used. */
const char *feature_use(struct perfdata *p, unsigned feature, struct span data);

/* Adds a build-id: a record HEADER_BUILD_ID, which must live as long as p. */
const char *feature_build_id(struct perfdata *p, struct span record);

#endif
