#!/usr/bin/env bash
# Who asks the machine. The stages of common/stage depend on the records that they get and on nothing else: they include no
# header with which they could read a clock or a file, or ask about a process. In stackrecord only the room capture/
# calls what reads a clock, looks into /proc, or acts on other processes, by itself or by common/machine, which other
# programs use too; what is left is the files of -o and --text (common/base/outfile.c), whether they are a terminal, and
# plan.c and main.c, which call capture/. The archive's files read and write their own folder, and fork the process that
# does so (archive*.c), but read no clock either.
#
# common/symbolize reads no clock and acts on no process either. Object files are opened by the symbolizer alone, in
# common/sym. These files open others, or look into /proc, since perf-script has to find them too:
#     procroot.c, findmap.c     the perf map of a process that still runs, as the process sees it: in a container it is not
#                               in our /tmp
#     mapnames.c, jitcode.c     what those find, and the maps and jitdumps that the user or the recording names
#     kernel.c                  /proc/kallsyms and /sys/kernel/notes, if this kernel is the recorded one
#
# usage: pure.sh [FOLDER]     (of the project; prints each line that is not allowed)
set -eu
cd "${1:-.}"
stages=$(find common/stage -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
recorder=$(find cmd/stackrecord -name '*.[ch]' -not -path '*/capture/*' 2>/dev/null | LC_ALL=C sort)
symbolizer=$(find common/symbolize -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
[ -n "$stages$recorder$symbolizer" ] || exit 0

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
        opens = "(^|[^a-z_0-9])(f?open|access|l?stat|perfmap_open|findmap_[a-z_]+|procroot_[a-z_]+)[(]"
        folders = "(^|[^a-z_0-9])(fork|kill|openat)[(]"
        finders = "/(procroot|findmap|mapnames|jitcode|kernel)[.][ch]$"
        clocks = "(^|[^a-z_0-9])(clock_[a-z]+|time|kill|ptrace|process_vm_readv|fork|syscall|ioctl|wait(pid)?)[(]"
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
        if (FILENAME ~ "^cmd/stackrecord/archive[a-z]+[.]c$")
            gsub(folders, "", code)
        finds = FILENAME ~ "^common/symbolize/" && FILENAME ~ finders
        if (finds ? code ~ clocks : code ~ calls || code ~ "\"/proc")
            wrong("asks the machine")
        if (!finds && FILENAME ~ "^common/symbolize/" && code ~ opens)
            wrong("opens a file")
    }
    END { exit status }' $stages $recorder $symbolizer
