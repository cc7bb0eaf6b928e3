/* The dialect of stackcollapse-perf.pl, whose output is the same to the byte. */
#ifndef STACKCOLLAPSE_PERL_H
#define STACKCOLLAPSE_PERL_H

#include "cmd/stackcollapse/build/dialect.h"

extern const struct dialect dialect_perl;

#endif
