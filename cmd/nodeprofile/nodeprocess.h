/* The profiled Node process, and the ports and connections of its inspector. */
#ifndef NODEPROFILE_NODEPROCESS_H
#define NODEPROFILE_NODEPROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { NODEPROCESS_INSPECTOR_PORT = 9229 /* Node's default */ };

enum { NODEPROCESS_PORTS = 1 << 16 };

/* The TCP ports of 127.0.0.1 on which some process listens, in this program's network namespace. */
struct nodeprocess_ports {
    bool listens[NODEPROCESS_PORTS]; /* the profiled process listens */
    bool others[NODEPROCESS_PORTS];  /* only other processes listen */
};

struct nodeprocess {
    pid_t pid;
    int fd;   /* pidfd_open(2), since the pid may be reused; -1: not supported by the kernel */
    int lock; /* file whose lock keeps other nodeprofiles from profiling the process */
};

/* Open a process that runs Node, lock it, and join its network namespace if that is another one.
 * Return NULL, or why the process cannot be profiled, as a static string. Call nodeprocess_close()
 * in both cases. */
const char *nodeprocess_open(struct nodeprocess *t, pid_t pid);

/* Find the ports on which the process listens, and those on which only others do. If its
 * descriptors cannot be listed, treat all ports as those of others. */
void nodeprocess_find_ports(const struct nodeprocess *t, struct nodeprocess_ports *ports);

/* Return true if the process has the other end of `connection`, a socket of this program that is
 * connected to 127.0.0.1. Call this after the first answer: only then has the process certainly
 * accepted it. Checking the port would not do: another process may take it over before this
 * program connects. */
bool nodeprocess_has_end(const struct nodeprocess *t, int connection);

/* Return true if the process's network namespace is not this program's. Return false also if the
 * process has ended. */
bool nodeprocess_has_moved(const struct nodeprocess *t);

/* Return the number of connections to a port of 127.0.0.1, from all programs. */
size_t nodeprocess_count_connections(unsigned port);

/* Return the port that the process's inspector tries first: from --inspect-port and the like on its
 * command line, else NODEPROCESS_INSPECTOR_PORT. The workers of a cluster use the ports after
 * it. */
unsigned nodeprocess_inspector_port(const struct nodeprocess *t);

/* Send SIGUSR1, which makes Node open its inspector. Do not send it if the process does not catch
 * it: then it would kill the process. Return NULL, or why it was not sent, as a static string. */
const char *nodeprocess_signal(const struct nodeprocess *t);

/* Return true if a signal has stopped the process (Ctrl-Z): it does not run until SIGCONT. */
bool nodeprocess_is_stopped(const struct nodeprocess *t);

/* Return true if the process has not ended. */
bool nodeprocess_runs(const struct nodeprocess *t);

/* Release the process: close its descriptor and the lock. */
void nodeprocess_close(struct nodeprocess *t);

#endif
