#!/usr/bin/env bash
# Who asks the machine. The stages of common/stage depend on the records that they get and on nothing else: they include no
# header with which they could read a clock or a file, or ask about a process. In stackrecord only the room capture/ calls
# what reads a clock, looks into /proc, or acts on other processes; what is left is the files of -o and --text
# (output/outfile.c), whether they are a terminal, and plan.c and main.c, which call capture/.
#
# usage: pure.sh [FOLDER]     (of the project; prints each line that is not allowed)
set -eu
cd "${1:-.}"
stages=$(find common/stage -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
recorder=$(find cmd/stackrecord -name '*.[ch]' -not -path '*/capture/*' 2>/dev/null | LC_ALL=C sort)
[ -n "$stages$recorder" ] || exit 0

# shellcheck disable=SC2086
awk '
    function wrong(text) {
        print FILENAME ":" FNR ": " text ": see tests/lint/pure.sh"
        status = 1
    }
    BEGIN {
        system_headers = "^(inttypes|stdalign|stdbool|stddef|stdint|stdlib|string)[.]h$"
        asking = "^common/base/(beneath|clock|confine|helper|input|lines|out|patience|pipe|procmount|progress|regular|subprocess|temporary|unpack)[.]h$"
        calls = "(^|[^a-z_0-9])(clock_[a-z]+|time|gettimeofday|times|getrusage|fork|vfork|kill|wait|waitpid|ptrace|" \
            "process_vm_readv|syscall|ioctl|mmap|opendir|readlink|openat|procfs_[a-z_]+|helper_(ask|copy|next_silent)|" \
            "regular_[a-z_]+)[(]"
    }
    FILENAME ~ "^common/stage/" && /^[ \t]*#[ \t]*include/ {
        header = $0
        gsub(/^[^<"]*[<"]|[>"].*/, "", header)
        if ($0 ~ /</ && header !~ system_headers || header ~ asking)
            wrong("a stage includes " header)
    }
    {
        code = $0
        sub("^ ?[*] .*|/[*].*", "", code) # comments
        if (code ~ calls || code ~ "\"/proc")
            wrong("asks the machine")
    }
    END { exit status }' $stages $recorder
