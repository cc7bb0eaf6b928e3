#!/usr/bin/env bats
# Files of the formats that are JSON which other programs have changed, or wrote with parts missing.
load lib
load folding

# --- speedscope

speedscope() { # PROFILE...
    local IFS=,
    echo '{"$schema":"https://www.speedscope.app/file-format-schema.json",
        "shared":{"frames":[{"name":"main"},{"name":"read"}]},"profiles":['"$*"']}'
}

open_frames='[{"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":12},{"type":"C","frame":1,"at":20},
    {"type":"O","frame":1,"at":25}]'

@test "frames of speedscope that are open at the end of their profile count up to its endValue" {
    speedscope '{"type":"evented","name":"T","unit":"none","startValue":10,"endValue":30,"events":'"$open_frames"'}' >last
    speedscope '{"type":"evented","name":"T","unit":"none","events":'"$open_frames"',"endValue":30.5}' >fraction
    speedscope '{"endValue":30,"events":'"$open_frames"',"unit":"milliseconds","type":"evented"}' >first
    gives last $'main 7\nmain;read 13' 'stackcollapse: last: frames that are not closed: 2, taken to end with their profile'
    gives fraction $'main 7\nmain;read 13.5' \
        'stackcollapse: fraction: frames that are not closed: 2, taken to end with their profile'
    gives first $'main 7000\nmain;read 13000' \
        'stackcollapse: first: frames that are not closed: 2, taken to end with their profile'
}

@test "where speedscope has no endValue, or an earlier one, frames count up to the last event" {
    speedscope '{"type":"evented","name":"T","unit":"none","events":'"$open_frames"'}' >none
    speedscope '{"type":"evented","name":"T","unit":"none","endValue":3,"events":'"$open_frames"'}' >early
    gives none $'main 7\nmain;read 8' 'stackcollapse: none: frames that are not closed: 2, taken to end with their profile'
    gives early $'main 7\nmain;read 8' 'stackcollapse: early: frames that are not closed: 2, taken to end with their profile'
}

@test "each profile of speedscope has an end of its own" {
    local closed='[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":2}]'
    speedscope '{"type":"evented","name":"a","unit":"none","endValue":100,"events":'"$closed"'}' \
        '{"type":"evented","name":"b","unit":"none","events":'"$open_frames"'}' >two
    gives two $'a;main 2\nb;main 7\nb;main;read 8' \
        'stackcollapse: two: frames that are not closed: 2, taken to end with their profile'
}

@test "samples of speedscope without weights count one each, whatever their unit" {
    local samples='"samples":[[0,1],[0],[0,1]]'
    speedscope '{"type":"sampled","name":"T","unit":"none",'"$samples"'}' >none
    speedscope '{"type":"sampled","name":"T","unit":"seconds","weights":[],'"$samples"'}' >seconds
    speedscope '{"type":"sampled","name":"T","weights":null,"unit":"bytes",'"$samples"'}' >bytes
    for file in none seconds bytes; do
        gives $file $'main 1\nmain;read 2'
    done
    speedscope '{"type":"sampled","name":"T","unit":"seconds","weights":[2],'"$samples"'}' >fewer
    gives fewer $'main 0\nmain;read 2000000' 'stackcollapse: fewer:2: a profile with fewer weights than samples
stackcollapse: 3 samples, 1 line skipped (first at line 2)'
}

# --- firefox

# A thread as Firefox writes it, with each table's members in the order of $1.
firefox_thread() { # ORDER
    table() { # SCHEMA DATA
        if [ "$order" = schema-first ]; then echo "{\"schema\": $1, \"data\": $2}"; else echo "{\"data\": $2, \"schema\": $1}"; fi
    }
    local order=$1
    echo '{"name": "T", "pid": 1,
        "samples": '"$(table '{"stack": 0, "time": 1, "eventDelay": 2}' '[[1, 0.5], [1, 1.5, 3], [0], [null, 4]]')"',
        "stackTable": '"$(table '{"prefix": 1, "frame": 0}' '[[0], [1, 0], [2, 1]]')"',
        "frameTable": '"$(table '{"location": 0, "line": 4}' '[[0], [1, null, null, null, 7]]')"',
        "stringTable": ["main", "work"]}'
}

@test "rows of Firefox are read whether their schema comes before them or after" {
    for order in schema-first data-first; do
        echo '{"meta": {"interval": 1, "version": 13}, "threads": ['"$(firefox_thread $order)"']}' >$order
        gives $order $'T;main 1\nT;main;work 2' 'stackcollapse: 1 of 4 samples have no frames and are left out'
    done
}

@test "recordings of the developer tools of Firefox have the profile within them" {
    local profile
    profile='{"meta": {"interval": 1, "version": 10}, "threads": ['"$(firefox_thread schema-first)"']}'
    local stacks=$'T;main 1\nT;main;work 2' note='stackcollapse: 1 of 4 samples have no frames and are left out'
    echo '{"label": "", "duration": 2, "markers": [{"name": "x", "start": 1}], "frames": [], "ticks": [1, 2],
        "allocations": {"sites": [], "frames": []}, "profile": '"$profile"', "fileType": "Recorded Performance Data",
        "version": 2}' >panel
    echo '{"profilerData": {"profile": '"$profile"'}, "ticksData": [], "recordingDuration": 2,
        "fileType": "Recorded Performance Data", "version": 1}' >older
    printf '{"label":"","duration":2,"markers":[{"name":"%01100000d"}],"profile":%s}' 0 "$profile" >long
    gives panel "$stacks" "$note"
    gives long "$stacks" "$note"
    echo '{"label":"","duration":10279.2,"markers":[],"frames":[]}' >without
    refuses without 'stackcollapse: no samples in the input'
    gives older "$stacks" "$note"
}

# --- V8

@test "a CPU profile within what the protocol returned is read as the profile" {
    local profile='{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},
        {"id":2,"callFrame":{"functionName":"work","url":"file:///srv/a.js","lineNumber":4,"columnNumber":9}}],
        "startTime":0,"endTime":500,"samples":[2,2],"timeDeltas":[100,20]}'
    echo "$profile" >bare
    echo '{"profile":'"$profile"'}' >wrapped
    echo '{"id":3,"result":{"profile":'"$profile"'}}' >message
    for file in bare wrapped message; do
        gives $file '(root);JS:work /srv/a.js:5:10 120'
    done
    local node='{"functionName":"f","url":"a.js","lineNumber":2,"hitCount":2,"children":[]}'
    echo '{"profile":{"head":'"$node"'}}' >old
    gives old 'JS:f a.js:2 2'
    echo '{"result":{"profile":{"head":{"callFrame":{"functionName":"g"},"selfSize":30,"id":1,"children":[
        {"callFrame":{},"selfSize":5,"id":2,"children":[]}]}}}}' >heap
    gives heap $'g 30\ng;(anonymous) 5'
}

@test "node ids may be of any size, be numbers or texts, and time deltas may come before the samples" {
    local id
    for id in 2 4194303 4194304 18446744073709551616 '"x"' '"007"' 2.5; do
        echo '{"timeDeltas":[7,3,5],"samples":['"$id,1,$id"'],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
            {"id":'"$id"',"parent":1,"callFrame":{"functionName":"f"}}]}' >ids
        gives ids $'(root) 3\n(root);f 12'
    done
}

# --- chrome-tracing

events() { # EVENT...
    local event first=1
    echo '['
    for event; do
        [ -n "$first" ] || echo ,
        first=
        local part
        IFS=' ' read -ra part <<<"$event"
        printf '{"pid":1,"tid":1,"ph":"%s","ts":%s%s}' "${part[0]}" "${part[1]}" "${part[2]:+,\"name\":\"${part[2]}\"}"
    done
    echo ']'
}

@test "an end that names no open function is reported and ends nothing" {
    events 'B 0 alpha' 'B 1 beta' 'E 2 gamma' 'E 9 beta' 'E 10 alpha' >trace
    gives trace $'alpha 2\nalpha;beta 8' 'stackcollapse: events that end and do not begin: 1, left out'
    events 'E 1 alpha' 'B 2 alpha' 'E 3 beta' 'E 5 alpha' 'E 6 alpha' >trace
    gives trace 'alpha 3' 'stackcollapse: events that end and do not begin: 3, left out'
}

@test "an end without a name ends the innermost function" {
    events 'B 0 alpha' 'B 1 beta' 'E 9' 'E 10' >trace
    gives trace $'alpha 2\nalpha;beta 8'
}

@test "an end of a function that others are open in ends these too, and that is reported" {
    events 'B 0 alpha' 'B 1 beta' 'B 2 beta' 'E 9 alpha' 'B 10 gamma' 'E 12 gamma' >trace
    gives trace $'alpha 1\nalpha;beta 1\nalpha;beta;beta 7\ngamma 2' \
        'stackcollapse: events that begin and do not end: 2, taken to end with the event that they are in'
}

# --- stackprof

@test "a profile of stackprof without stacks is refused, with what to record" {
    local frames='"frames":{"101":{"name":"main","file":"/a.rb","line":1,"total_samples":3,"samples":0,"edges":{"102":3}},
        "102":{"name":"Foo#bar","total_samples":3,"samples":3}}'
    echo '{"version":1.2,"mode":"object","interval":1,"samples":3,'"$frames"'}' >object
    echo '{'"$frames"',"gc_samples":0,"interval":1000,"missed_samples":0,"mode":"wall","raw":null,"samples":3}' >sorted
    refuses object 'stackcollapse: object: no stacks in this profile: record it with raw: true'
    refuses sorted 'stackcollapse: sorted: no stacks in this profile: record it with raw: true'
}

# --- sentry and pyinstrument

@test "a profile of Sentry's of node goes through stackfilter --node" {
    stackcollapse -q "$DATA/stackcollapse/sentry/node" >folded
    try stackfilter --node folded
    [[ $output == *';work /srv/app.js:3:9 2'* ]]
}

@test "a profile of Sentry needs neither names of threads nor of a platform" {
    echo '{"profile":{"samples":[{"stack_id":0},{"stack_id":0,"thread_id":12},{"thread_id":"12"},{"stack_id":-1}],
        "stacks":[[0]],"frames":[{"function":"f"}]}}' >small
    answers 0 $'thread 12;f 1\nthread ?;f 1' \
        'stackcollapse: small: samples of stacks that are not listed, left out: 2' stackcollapse --from=sentry small
}

@test "a call tree of pyinstrument counts the microseconds of each function itself" {
    same 2500000 "$(awk '{ sum += $NF } END { print sum }' "$DATA/stackcollapse/pyinstrument/app.own")"
}

@test "functions of pyinstrument without a file, line or time, and callees that take longer than their caller" {
    echo '{"root_frame":{"function":"f","file_path_short":null,"line_no":3,"time":1.5,"children":[
        {"file_path_short":"b.py","line_no":0,"time":2},{"function":"g","time":"x","children":[]}]}}' >odd
    gives odd 'f;[unknown] (b.py) 2000000' 'stackcollapse: odd:2: a frame whose time is not a number of seconds
stackcollapse: 1 sample, 1 line skipped (first at line 2)'
    echo '{"duration":0,"sample_count":0,"root_frame":null,"file_path_short":"","line_no":0}' >empty
    answers 1 '' 'stackcollapse: no samples in the input' stackcollapse --from=pyinstrument empty
}

@test "a saved session of pyinstrument is refused, with how to print its call tree" {
    echo '{"start_time":1.5,"duration":2,"min_interval":0.001,"max_interval":0.001,"sample_count":1,"start_call_stack":[],
        "frame_records":[[["<module>\u0000/srv/app.py\u00001"],0.001]]}' >app.pyisession
    refuses app.pyisession 'stackcollapse: app.pyisession: a saved session of pyinstrument: print its call tree with pyinstrument --load=FILE -r json, and fold that'
}
