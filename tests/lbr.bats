# Call stacks that the processor recorded: perf record --call-graph lbr.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p root/srv
    made program > root/srv/compiler
}

made() { # WHAT [N]
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/lbr.py" "$@"
}

# The stacks without those that end in the kernel.
stacks() { # FILE
    perf-script -q --symfs root "$1" | stackcollapse | sed -E 's/(visit;?)+/visit.../' | grep -v 'unknown'
}

@test "stacks of --call-graph lbr are the calls that the processor recorded, after the address that was sampled" {
    prints 'compiler     7     1.001000:       4000 cycles:HG: 
	             334 lex+0x34 (/srv/compiler)
	             210 parse+0x10 (/srv/compiler)
	             120 main+0x20 (/srv/compiler)

compiler     7     1.002000:       4000 cycles:HG: 
	ffffffff81000000 [unknown] ([unknown])
	ffffffff81000100 [unknown] ([unknown])
	             380 lex+0x80 (/srv/compiler)
	             210 parse+0x10 (/srv/compiler)
	             120 main+0x20 (/srv/compiler)

compiler     7     1.003000:       4000 cycles:HG: 
	             208 parse+0x8 (/srv/compiler)
	             125 main+0x25 (/srv/compiler)

compiler     7     1.004000:       4000 cycles:HG: 
	ffffffff81000000 [unknown] ([unknown])' perf-script --symfs root --time 1.001,1.004 "$DATA/lbr.data"
}

@test "a stack with as many calls as the processor keeps ends in [cut], unless it reaches main" {
    same 'compiler;[cut];visit... 1
compiler;main;parse 1
compiler;main;parse;lex 1
compiler;main;parse;visit... 1' "$(stacks "$DATA/lbr.data")"
    same '' "$(perf-script -q --no-marks "$DATA/lbr.data" | grep -F '[cut]')"
}

@test "a recording that does not say how many calls the processor keeps is cut at 32" {
    made calls 31 > shorter
    made calls 32 > data
    same '0 1' "$(stacks shorter | grep -cF '[cut]') $(stacks data | grep -cF '[cut]')"
}

@test "--check counts the stacks that the processor cut, and says what to do" {
    prints '* 1  stacks cut at the most calls that the processor keeps (LBR)*' \
        perf-script --symfs root --check "$DATA/lbr.data"
    [[ $output = *'1 of 6 stacks are cut, since the processor keeps no more calls (--call-graph lbr): record with'* ]]
    [[ $output != *'copy of the stack'* ]]
    same '"stacks_cut_by_copy":0,"stacks_cut_by_lbr":1' \
        "$(perf-script -q --symfs root --stats=json "$DATA/lbr.data" | grep -o '"stacks_cut_by_copy.*_lbr":1')"
}

# main's call is at 0x10120.
@test "a call at an impossible address is left out; --as-perf prints the callchain then, as perf does" {
    sed 's/\x20\x01\x01\x00\x00\x00\x00\x00/\xff\xff\xff\xff\xff\xff\xff\xff/g' "$DATA/lbr.data" > data
    same 'compiler;[cut];parse;visit... 1
compiler;[cut];visit... 1
compiler;main;parse 1
compiler;parse;lex 1' "$(stacks data)"
    same '336 380 11 208 125 408' \
        "$(perf-script -q --as-perf data | awk '/^\t/ && $1 !~ /^(ffff|400|440)/ { print $1 }' | paste -sd ' ')"
}

@test "branches of other kinds (perf record -b) are no callers" {
    made branches > data
    same 'compiler;lex 1
compiler;main;parse 1' "$(stacks data | grep -v visit)"
}

# Of a sample without calls perf prints what it finds behind the record: it is left out.
@test "--as-perf prints what perf printed of them" {
    local kind
    for kind in calls branches 'calls 200'; do
        # shellcheck disable=SC2086 # words
        made $kind > data
        perf-script -q --as-perf data | awk -v RS= -v ORS='\n\n' '!/ 1.003000:/' > ours
        cmp "$DATA/replay/lbr/${kind// /-}.perf.txt" ours
    done
}
