# For tests of recordings that are kept: after "load ../lib", "load replay". record.sh says what a recording has.
REPLAY=$DATA/replay

# Unpacks recordings, each into a folder of its name, and changes to that of the last one.
use() { # NAME...
    local name
    for name; do
        cd "$BATS_TEST_TMPDIR" || return
        mkdir -p "$name"/{home,maps}
        cd "$name" || return
        gunzip -c "$REPLAY/$name/data.gz" > data
        tar -xzf "$REPLAY/$name/files.tar.gz"
        export HOME=$PWD/home
        # Also where there are no maps: /tmp may have one of a process with a number that is in the recording.
        where=(--symfs fs --map-dir maps)
        [ ! -e kallsyms ] || where+=(--kallsyms kallsyms)
    done
}

# What perf-script prints of the recording whose folder this is, with the places of perf maps that perf knows.
replay() { # OPTION... [FILE]
    local printed=printed.$BASHPID # two may run at a time
    perf-script -q "${where[@]}" "$@" > "$printed" || return
    sed 's|(maps/perf-|(/tmp/perf-|' "$printed"
}

# Fails if the file differs in another way from what perf printed than the kept difference says.
differs_as() { # DIFFERENCE OF-PERF GOT
    if [ -e "$REPLAY/$name/$1" ]; then
        diff "$2" "$3" > difference || true
        diff "$REPLAY/$name/$1" difference
    else
        diff "$2" "$3"
    fi | head -n 40
    return "${PIPESTATUS[0]}"
}

# Fails unless --as-perf prints what perf prints, of each list of options that was asked, and perf-script without it what it
# printed when the recording was made: perf's text but for what is known to be wrong in it. Folded are the same stacks.
replays() { # NAME
    local name=$1 line got='' theirs=of-perf
    use "$name"
    gunzip -c "$REPLAY/$name/perf.txt.gz" > of-perf
    grep '^== ' of-perf | while IFS= read -r line; do
        echo "$line"
        # shellcheck disable=SC2086 # words
        replay --as-perf ${line#== } data
    done > got
    differs_as as-perf.diff of-perf got
    awk '/^== / { n++; next } n == 1' of-perf > first
    [ ! -e "$REPLAY/$name/injected.txt.gz" ] || gunzip -c "$REPLAY/$name/injected.txt.gz" > first
    replay data > text
    differs_as ours.diff first text
    stackcollapse -q text > folded
    gunzip -c "$REPLAY/$name/folded.gz" | cmp - folded
}

# Makes an ELF file one that was built again: with another build-id.
build_again() { # FILE
    python3 - "$1" "$(readelf -n "$1" | sed -n 's/.*Build ID: //p')" << 'END'
import sys
data = bytearray(open(sys.argv[1], 'rb').read())
data[data.index(bytes.fromhex(sys.argv[2]))] ^= 1
open(sys.argv[1], 'wb').write(data)
END
}
