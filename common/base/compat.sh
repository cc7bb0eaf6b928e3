#!/bin/sh
# Runs the program that does the work of @NAME@: the link of that name in the folder "programs" beside this script.
#
# It is a script because "perl @NAME@" is how many call it: perl does not read a script whose first line names
# another program, and runs that program with it. So the word perl must not be in the first line.

self=$0
case $self in
*/*) ;;
*) self=./$self ;;
esac
# The script may be called through symbolic links. To follow one costs a process, so look beside it first.
while [ ! -x "${self%/*}/programs/@NAME@" ] && [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
    esac
done
program=${self%/*}/programs/@NAME@
if [ ! -x "$program" ]; then
    echo "@NAME@: $program is missing: use a link to the installed @NAME@, not a copy of it" >&2
    exit 1
fi
exec "$program" "$@"
