#!/usr/bin/env bash
# Prints the conformance cases: shell commands, one a line, to be run where the inputs are.
# usage: cases.sh     (in a folder that has the inputs)
set -euo pipefail

# Reads option lists, one a line, and prints a case for each of them and each input.
each() { # PROGRAM INPUT...
    local options input
    while IFS= read -r options; do
        for input in "${@:2}"; do
            echo "$1${options:+ $options} $input"
        done
    done
}

hand_made=(names.perf comms.perf events.perf events-reversed.perf damage.perf no-newline.perf java-names.perf)
recorded=(cpp.perf deep.perf java.perf node-http.perf node-unnamed.perf page-faults.perf records.perf
    sched-switch.perf shell-pipe.perf system-wide.perf two-events.perf)

each stackcollapse-perf.pl "${hand_made[@]}" <<'END'

--pid
--tid
--pid --tid
--kernel
--jit
--all
--addrs
--kernel --jit --pid
--all --addrs
--all --addrs --tid
END
each stackcollapse-perf.pl "${recorded[@]}" <<'END'

--pid --kernel
--tid --jit
--all
--addrs
--all --addrs --tid
END
# The script finds no stack in these two.
each stackcollapse-perf.pl crlf.perf no-callchain.perf <<'END'

--all --addrs --tid
END
each stackcollapse-perf.pl srcline.perf cpp-srcline.perf <<'END'

--srcline
--srcline --pid
--srcline --all --addrs
END
each stackcollapse-perf.pl events.perf events-reversed.perf two-events.perf <<'END'
--event-filter=cycles
--event-filter cycles:ppp
--event-filter=cpu-clock
--event-filter=instructions
--event-filter=instructions:u --tid
--event-filter=page-faults --all
--event-filter=none
--event-filter=
END
each stackcollapse-perf.pl names.perf <<'END'
-pid
-PID
--ker --add
--nonsense
-- --pid
END
cat <<'END'
stackcollapse-perf.pl < names.perf
stackcollapse-perf.pl --all < /dev/null
stackcollapse-perf.pl cpp.perf names.perf
stackcollapse-perf.pl --tid no-newline.perf crlf.perf damage.perf no-newline.perf
stackcollapse-perf.pl missing.perf
stackcollapse-perf.pl comms.perf --kernel names.perf --pid
cat events.perf | stackcollapse-perf.pl - | flamegraph.pl
cat node-http.perf | stackcollapse-perf.pl --all | flamegraph.pl --color=js --hash
grep -v LazyCompile node-http.perf | stackcollapse-perf.pl --jit
END

# answers.sh makes cpp.folded and shell-pipe.folded of the recordings.
each flamegraph.pl names.folded counts.folded unsorted.folded bad-lines.folded two-counts.folded deep.folded \
    narrow.folded cpp.folded shell-pipe.folded <<'END'

--inverted
--reverse
--flamechart
--hash --color=java
--minwidth=2%
END
each flamegraph.pl names.folded <<'END'
--color=hot
--color=mem
--color=io
--color=red
--color=green
--color=blue
--color=yellow
--color=purple
--color=aqua
--color=orange
--color=js
--color=java
--color=perl
--color=wakeup
--color=chain
--hash
--hash --color=mem
--hash --color=js
--hash --color=io
--bgcolors=grey
--bgcolors=green
--bgcolors=blue
--bgcolors=yellow
--bgcolors='#123456'
--color=java --bgcolors=grey
--title='A "title" of mine'
--title ''
--subtitle='below it'
--title= --subtitle=x
--width=400
--width=3000 --height=30
--height=8
--fontsize=20
--fontsize=7.5 --fontwidth=0.8
--fontwidth=0.3
--fonttype=monospace
--minwidth=0
--minwidth=0.5
--minwidth=40
--minwidth=10%
--nametype=Frame:
--countname=bytes
--total=1000
--factor=2.5
--factor=0.01
--negate
--inverted --reverse
--flamechart --title=mine
--encoding=UTF-8
--notes='a note'
--nameattr=some.nameattr
--nameattr=missing
--bgcolors=nonsense
--width=abc
--nonsense
--help
END
each flamegraph.pl two-counts.folded <<'END'
--negate
--inverted --negate
--hash
--total=500
--color=mem
END
cat <<'END'
flamegraph.pl empty.folded
flamegraph.pl < deep.folded
flamegraph.pl names.folded deep.folded
flamegraph.pl missing.folded
cp some.map palette.map; flamegraph.pl --cp names.folded
cp some.map palette.map; flamegraph.pl --cp --color=java names.folded >ignored; sort palette.map
END

each difffolded.pl 'before.folded after.folded' 'after.folded before.folded' 'before.folded before.folded' \
    'before.folded double.folded' 'names.folded counts.folded' 'cpp.folded shell-pipe.folded' <<'END'

-n
-s
-ns
END
cat <<'END'
difffolded.pl
difffolded.pl before.folded
difffolded.pl -x before.folded after.folded
difffolded.pl empty.folded after.folded
difffolded.pl -n before.folded after.folded | flamegraph.pl
difffolded.pl after.folded before.folded | flamegraph.pl --negate
END
