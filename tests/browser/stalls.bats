# Stalls in the heat map of a page: turns of event loops that took long.
load ../lib

# 20 seconds of two processes; each has a stall every three seconds, the longer the later, with a function of its own.
recording() {
    awk 'function wall(pid, time, us, leaf) {
            printf "node %d/%d [000] %.6f: %d wall: running\n\t20 %s (/app)\n\t10 main (/app)\n\n", pid, pid, time, us, leaf
        }
        BEGIN {
            for (second = 1; second <= 20; second++)
                for (pid = 4242; pid <= 4243; pid++) {
                    wall(pid, 100 + second, 200000, "serve")
                    if (second % 3 == 0) {
                        end = 100.2 + second - (pid - 4242) * 1.3
                        wall(pid, end, (100 + 37 * second) * 900, "parse" second)
                        wall(pid, end, (100 + 37 * second) * 100, "fsync")
                        printf "node %d/%d [000] %.6f: %d turn: ended\n\n", pid, pid, end, (100 + 37 * second) * 1000
                    }
                }
        }'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    recording > perf.txt
    stackcollapse --slice=1000 --tid perf.txt | flamesvg --html --countname=us > page.html
    stackcollapse --slice=1000 perf.txt | flamesvg --html --clock='1.5 at 2026-11-28T22:59:31.250125Z' > clock.html
    grep -v turn: perf.txt | awk -v RS= -v ORS='\n\n' 1 | stackcollapse --slice=1000 | flamesvg --html > none.html
    TZ=Asia/Tokyo share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

SAYS='text <.ranges span[aria-live]>'

@test 'a click on a mark shows the stacks of that stall alone, and the line says which it is' {
    says 'stall 4 of 12: 4.878 s, 322 ms, node 4242
all fsync main node-4242/4242 parse6
?stall=4
stall 1 of 12: 0.689 s, 211 ms, node 4243
all fsync main node-4243/4243 parse3' page.html 'click-stall 4' "$SAYS" frames address 'click-stall 1' "$SAYS" frames
}

@test 'with the time on both clocks the line says the time of day, in the time zone of the browser' {
    browse clock.html 'key j' "$SAYS"
    same 'stall 1 of 12: 08:01:11.439, 211 ms, node 4243' "$output"
}

@test 'the line says of a stall that its process was stopped, and that it was going on at the end' {
    echo '@1.000+0.400..-0.250/7;node;main 5' | flamesvg -q --html > goes-on.html
    says 'stall 1 of 1: 0.000 s, 400 ms, node 7 '\
'(the process was stopped for 250 ms of it) (going on when the recording ended)' \
        goes-on.html 'key j' "$SAYS"
}

@test 'j and k go to the next and the previous stall, from the last to the first; Escape shows all' {
    browse page.html "$SAYS" 'key j' 'key j' "$SAYS" 'key k' 'key k' "$SAYS" 'key j' "$SAYS" 'key Escape' "$SAYS" address
    same '' "$stderr"
    [[ ${lines[0]} == '12 stalls, marked: click one, or j, to see it alone. Drag'* ]]
    same 'stall 2 stall 12 stall 1' "${lines[1]%% of*} ${lines[2]%% of*} ${lines[3]%% of*}"
    same "${lines[0]}" "${lines[4]}"
    browse page.html 'key k' "$SAYS" 'key t' 'key Escape' "$SAYS"
    same 'stall 12' "${lines[0]%% of*}"
    [[ ${lines[1]} == '12 stalls'* ]]
}

@test 'buttons go through the stalls, for a finger and a screen reader; Whole recording shows all' {
    button() { # WHICH
        echo "click <.ranges button[title^=\"The $1 stall\"]>"
    }
    says 'stall 1 of 12: 0.689 s, 211 ms, node 4243
stall 12 of 12: 16.434 s, 766 ms, node 4242
true
polite' page.html "$(button next)" "$SAYS" "$(button previous)" "$SAYS" \
        'shown <.ranges button[title^="Undo"]>' 'eval document.querySelector(".ranges span").ariaLive'
    browse page.html "$(button next)" 'click <.ranges button[title^="Undo"]>' "$SAYS" 'shown <.ranges button[title^="Undo"]>'
    [[ ${lines[0]} == '12 stalls'* ]]
    same false "${lines[1]}"
}

@test 'a stall is a step of the history and in the address, and a range of time takes its place' {
    says '?stall=2
?stall=1
all fsync main node-4243/4243 parse3' page.html 'key j' 'key j' address back address frames
    browse 'page.html?stall=2' "$SAYS" 'drag 0 1' address "$SAYS"
    same '' "$stderr"
    same 'stall 2 of 12: 1.989 s, 211 ms, node 4242' "${lines[0]}"
    same '?t=101.000%2C102.999999999' "${lines[1]}"
    browse 'page.html?stall=13' "$SAYS" address
    [[ ${lines[0]} == '12 stalls'* ]]
    same '' "${lines[1]}"
}

@test 'a mark is over the time of its stall: of two columns where that goes on in the next one, and in the row of its thread' {
    boxes="eval document.documentElement.flame.stalls().slice(0, 2).map(({ boxes }) => boxes.map(({ x, y, width, height }) =>
        [x / width, 100 - y - height, height].map(n => Math.abs(n).toFixed(1)).join(' ')).join(', ')).join('; ')"
    rows="eval document.documentElement.flame.stalls().slice(0, 2).map(({ boxes: [{ y, height }] }) => y / height).join(' ')"
    says $'0.0 68.9 21.1; 1.0 97.0 3.0, 2.0 0.0 20.0\n1 0' page.html "${boxes//$'\n'/ }" 'click #threads' "$rows"
    says 'all fsync main node-4242/4242 parse6' page.html 'click #threads' 'click-stall 4' frames
}

@test 'a page without stalls has no buttons and no keys for them, and the help of one with stalls names the keys' {
    browse none.html 'shown <.ranges button[title^="The next stall"]>' 'key j' address 'key ?' 'text <.help>'
    same '' "$stderr"
    same false "${lines[0]}"
    [[ $output != *stall* ]]
    browse page.html 'key ?' 'text <.help>'
    [[ $output == *'j, k'*'show the next or the previous stall alone'* ]]
}
