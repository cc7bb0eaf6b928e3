/* Encodes what describes a recording, as feature.c reads it. For datawrite.c. */
#ifndef EVENT_FEATUREWRITE_H
#define EVENT_FEATUREWRITE_H

#include "common/event/datawrite.h"

/* Appends the data of a feature; of FEATURE_SAMPLE_TIME zeros in their place. False: there are
 * none, and what was appended is to be dropped. */
bool feature_put(struct text *t, unsigned feature, const struct datawrite_about *about);

/* Appends the list of build-ids, as records of that type: 0 in a section, ADDED_BUILD_ID in a
 * pipe. */
void feature_put_build_ids(struct text *t, uint32_t type, const struct datawrite_about *about);

#endif
