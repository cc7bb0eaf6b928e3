# For tests of what an input may cost, after "load ../lib". A case is a generator that writes a file, a program, and a limit.

# Runs a program as try does, with its standard output in the file "out", in so many MB of address space and so many
# seconds of the processor: several times what it takes. A program that takes more dies.
# Sanitized programs take memory of their own, and eight times as long.
within() { # MB SECONDS PROGRAM...
    local kb=$(($1 * 1000)) seconds=$2
    [ -z "${SAN-}" ] || kb=unlimited seconds=$((8 * seconds))
    try bash -c 'ulimit -v "$1" -t "$2"; shift 2; exec "$@" > out' bash "$kb" "$seconds" "${@:3}"
}
