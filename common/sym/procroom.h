/* Room in procmaps.h for what comes: what is not needed any more is forgotten, and where maps take
 * more than the limit, those of some processes. */
#ifndef SYM_PROCROOM_H
#define SYM_PROCROOM_H

#include "common/sym/procmaps.h"

/* Forgets the names that no thread has any more, once they are most. */
void procroom_remove_comms(struct procmaps *p);

/* Where maps or the names of their files take more than half of the limit: forgets the DSOs that no
 * map has, and if that is not enough the maps of the processes that added the most, first of one,
 * then of two more, of four more, until a quarter is free. */
void procroom_make(struct procmaps *p);

#endif
