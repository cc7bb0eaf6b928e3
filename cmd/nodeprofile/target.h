/* The process whose inspector is asked. */
#ifndef NODEPROFILE_TARGET_H
#define NODEPROFILE_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { TARGET_INSPECTOR_PORT = 9229 /* Node's, unless an option names another */ };

enum { TARGET_PORTS = 1 << 16 };

/* The ports of 127.0.0.1 in this program's network namespace. */
struct target_ports {
    bool listens[TARGET_PORTS]; /* the process itself */
    bool others[TARGET_PORTS];  /* only other processes */
};

struct target {
    pid_t pid;
    int fd; /* of pidfd_open(2): the process, and no later one of this number; -1: the kernel lacks it */
    int lock; /* a file with a lock, by which one nodeprofile at a time asks the process */
};

/* Open a process that runs Node, and join its network namespace if that is another one. Return NULL,
 * or why it cannot be asked. */
const char *target_open(struct target *t, pid_t pid);

/* Find the ports on which the process itself listens, and those that others have. */
void target_find_ports(const struct target *t, struct target_ports *ports);

/* Return true if the process has the other end of a connection of this program to 127.0.0.1. It must
 * have accepted that, as whoever answers has. A port may become another's before it is connected to,
 * but not the end of a connection. */
bool target_has_end(const struct target *t, int connection);

/* Return true if the process has left the network namespace in which this program connects. */
bool target_has_moved(const struct target *t);

/* Return the number of connections to a port. */
size_t target_count_connections(unsigned port);

/* Return the port at which its inspector opens first, by --inspect-port and the like on its command
 * line. Workers of a cluster take the next ones. */
unsigned target_inspector_port(const struct target *t);

/* Send it SIGUSR1, by which Node opens its inspector; to others that do not catch the signal it would
 * be the end. Return NULL, or why it was not sent. */
const char *target_signal(const struct target *t);

/* Return true if it was stopped by a signal, as by Ctrl-Z; then it does nothing until it gets SIGCONT. */
bool target_is_stopped(const struct target *t);

bool target_runs(const struct target *t);

void target_close(struct target *t);

#endif
