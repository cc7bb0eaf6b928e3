/* The Node process that is profiled, and the ports and connections of its inspector. */
#ifndef NODEPROFILE_NODEPROCESS_H
#define NODEPROFILE_NODEPROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { NODEPROCESS_INSPECTOR_PORT = 9229 /* Node's default */ };

enum { NODEPROCESS_PORTS = 1 << 16 };

/* The TCP ports of 127.0.0.1 in this program's network namespace on which somebody listens. */
struct nodeprocess_ports {
    bool listens[NODEPROCESS_PORTS]; /* the process itself does */
    bool others[NODEPROCESS_PORTS];  /* only other processes do */
};

struct nodeprocess {
    pid_t pid;
    int fd;   /* of pidfd_open(2), since the pid may be used again; -1: the kernel lacks that */
    int lock; /* a locked file, so that only one nodeprofile at a time profiles the process */
};

/* Open a process that runs Node, lock it, and join its network namespace if that is another one.
 * Return NULL, or why the process cannot be profiled, a static string. nodeprocess_close() is needed in
 * both cases. */
const char *nodeprocess_open(struct nodeprocess *t, pid_t pid);

/* Find the ports on which the process itself listens, and those on which only others do. If its
 * descriptors cannot be listed, all ports count as those of others. */
void nodeprocess_find_ports(const struct nodeprocess *t, struct nodeprocess_ports *ports);

/* Return true if the process has the other end of `connection`, a socket of this program that is
 * connected to 127.0.0.1. Call it after an answer: then the other end has been accepted. The port
 * may become another process's before this program connects; an accepted connection may not. */
bool nodeprocess_has_end(const struct nodeprocess *t, int connection);

/* Return true if the process is in another network namespace than this program; false also if it
 * has ended. */
bool nodeprocess_has_moved(const struct nodeprocess *t);

/* Return the number of connections to a port of 127.0.0.1, those of other programs included. */
size_t nodeprocess_count_connections(unsigned port);

/* Return the port that the process's inspector tries first: by --inspect-port and the like on its
 * command line, else NODEPROCESS_INSPECTOR_PORT. The workers of a cluster use the ports after that. */
unsigned nodeprocess_inspector_port(const struct nodeprocess *t);

/* Send SIGUSR1, at which Node opens its inspector, unless the process does not catch it: then the
 * signal would kill it. Return NULL, or why it was not sent, a static string. */
const char *nodeprocess_signal(const struct nodeprocess *t);

/* Return true if a signal has stopped the process (Ctrl-Z): it does not run until SIGCONT. */
bool nodeprocess_is_stopped(const struct nodeprocess *t);

/* Return true if the process has not ended. */
bool nodeprocess_runs(const struct nodeprocess *t);

/* Release the process: close its descriptor and the lock. */
void nodeprocess_close(struct nodeprocess *t);

#endif
