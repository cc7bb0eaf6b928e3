# Names prepared so that a hash without a secret key puts all of them in one slot.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    for kind in colliding others; do
        for format in folded perf; do
            python3 "$ROOT/tests/robust/hostile/colliding.py" $kind $format > $kind.$format
        done
    done
}

# Fails if the program takes more than three times as much processor time for the colliding names.
bounded() { # FORMAT PROGRAM [OPTION ...]
    cd "$BATS_FILE_TMPDIR"
    python3 - "$@" << 'END'
import os, resource, subprocess, sys

def once(kind):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(sys.argv[2:] + [kind + "." + sys.argv[1]], stdout=subprocess.DEVNULL, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

colliding, others = (min(once(kind) for _ in range(3)) for kind in ("colliding", "others"))
print(f"{colliding:.2f} s for colliding names, {others:.2f} s for others")
sys.exit(colliding > 3 * others + 0.02)
END
}

@test "names that once collided under every seed take stackcollapse no longer than others" {
    bounded folded stackcollapse -q
    bounded perf stackcollapse -q
}

@test "names that once collided under every seed take stackfilter no longer than others" {
    bounded folded stackfilter -q --node
    bounded perf stackfilter -q --node
}

@test "names that once collided under every seed take stackreport no longer than others" {
    bounded folded stackreport -q
}

@test "names that once collided under every seed take flamesvg no longer than others" {
    bounded folded flamesvg -q --minwidth=0
}

@test "names that once collided under every seed take stackdiff no longer than others" {
    bounded folded stackdiff -q --exact-names others.folded
}

@test "names that once collided under every seed take perf-script no longer than others" {
    bounded perf perf-script -q
}
