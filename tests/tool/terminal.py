#!/usr/bin/env python3
"""Runs a command at a terminal of its own. usage: terminal.py 012 TEXT COMMAND [ARGUMENT...]

The first argument says which of standard input, output and error are the terminal; the others are those of this
program. TEXT is typed. TERMINAL_SIZE in the environment, such as 40x100, is how many rows and columns it has. What the terminal shows is printed on standard error, and the status is the command's. A command
that has not ended after 20 seconds is killed."""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios


def start(which, command):
    """The process, and the descriptor of its terminal."""
    kept = [os.dup(fd) for fd in range(3)]
    pid, terminal = pty.fork()
    if pid == 0:
        for fd in range(3):
            if str(fd) not in which:
                os.dup2(kept[fd], fd)
        for fd in kept:
            os.close(fd)
        signal.alarm(20)
        if "TERMINAL_SIZE" in os.environ:
            size = struct.pack("HHHH", *map(int, os.environ["TERMINAL_SIZE"].split("x")), 0, 0)
            fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), termios.TIOCSWINSZ, size)
        os.execvp(command[0], command)
    return pid, terminal


def main():
    which, text, *command = sys.argv[1:]
    pid, terminal = start(which, command)
    os.write(terminal, text.encode())
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # all that had it open have closed it
            break
    sys.stderr.write(shown.decode().replace("\r\n", "\n"))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(main())
