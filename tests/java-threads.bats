#!/usr/bin/env bats
# Thread dumps of Java with virtual threads, those that programs print themselves, and traces of exceptions.
load lib
load folding

# A carrier of jcmd Thread.print with its own frames; the virtual thread's come next.
carrier() { # NUMBER STATE
    printf '"ForkJoinPool-1-worker-%s" #2%s [4275%s] daemon prio=5 os_prio=0 cpu=72.13ms elapsed=7.22s tid=0x00007f13a97a400 %s [0x0000171e49000]\n' \
        "$1" "$1" "$1" "$2"
    printf '   Carrying virtual thread #3%s\n' "$1"
    printf '\tat jdk.internal.vm.Continuation.run(java.base@25.0.1/Continuation.java:251)\n'
    printf '\tat java.lang.VirtualThread.runContinuation(java.base@25.0.1/VirtualThread.java:293)\n'
    printf '\tat java.util.concurrent.ForkJoinWorkerThread.run(java.base@25.0.1/ForkJoinWorkerThread.java:187)\n'
}

@test "of a carrier the virtual thread is folded that is mounted on it, not the carrier's own frames" {
    {
        echo 'Full thread dump OpenJDK 64-Bit Server VM (25.0.1+8 mixed mode, sharing):'
        echo
        carrier 1 'nid=42751 runnable '
        printf '   Mounted virtual thread #31\n\tat shop.Cart.sum(Cart.java:14)\n\t- locked <0x0000052d> (a shop.Cart)\n'
        printf '\tat java.lang.VirtualThread.run(java.base@25.0.1/VirtualThread.java:456)\n\n'
        carrier 2 ''
        printf '   Mounted virtual thread "mailer-7" #32\n\tat shop.Mail.send(Mail.java:9)\n\n'
        carrier 3 'nid=42753 waiting on condition '
        printf '   Mounted virtual thread #33\n\tat jdk.internal.misc.Unsafe.park(java.base@25.0.1/Native Method)\n\n'
        printf '"main" #1 [42750] prio=5 os_prio=0 cpu=1ms elapsed=8s tid=0x00007f1 nid=42750 runnable  [0x00007f1]\n'
        printf '   java.lang.Thread.State: RUNNABLE\n\tat shop.Main.main(Main.java:3)\n\n'
        printf '"VM Thread" os_prio=0 cpu=1ms elapsed=8s tid=0x00007f2 nid=42760 runnable  \n'
    } >in
    folds jstack $'mailer;shop.Mail.send 1\nmain;shop.Main.main 1\nvirtual thread;java.lang.VirtualThread.run;shop.Cart.sum 1' \
        '1 of 4 threads wait or have no Java frames, and are left out'
    try stackcollapse -q --tid in
    [[ $output == *'mailer-7;'*'virtual thread-31;'* ]]
    try stackcollapse -q --no-comm in
    [[ $output == *$'\nshop.Mail.send 1'* ]]
}

@test "carriers whose virtual threads are not in the dump, as of JDK 21, are counted and reported" {
    {
        carrier 1 'nid=42751 runnable '
        echo
        carrier 2 'nid=42752 runnable '
        printf '\n"main" #1 [42750] prio=5 os_prio=0 tid=0x00007f1 nid=42750 runnable  [0x00007f1]\n'
        printf '   java.lang.Thread.State: RUNNABLE\n\tat shop.Main.main(Main.java:3)\n'
    } >in
    folds jstack 'main;shop.Main.main 1' \
        '2 carriers run virtual threads whose stacks are not in the dump, and are left out: jcmd PID Thread.dump_to_file FILE prints them'
}

# The same threads in each form of Thread.dump_to_file: main waits, one carrier carries, another waits for work; of the
# virtual threads two run, one of them named, and two sleep.
dump21() {
    printf '4242\n2026-01-05T06:31:54.844839Z\n21.0.4+7-LTS\n\n'
    printf '#1 "main"\n      java.base/java.lang.Object.wait0(Native Method)\n      app//shop.Main.main(Main.java:3)\n\n'
    printf '#9 "Signal Dispatcher"\n\n'
    printf '#21 "ForkJoinPool-1-worker-1"\n      java.base/jdk.internal.vm.Continuation.run(Continuation.java:251)\n'
    printf '      java.base/java.lang.VirtualThread.runContinuation(VirtualThread.java:221)\n\n'
    printf '#22 "ForkJoinPool-1-worker-2"\n      java.base/jdk.internal.misc.Unsafe.park(Native Method)\n\n'
    printf '#31 "" virtual\n      shop.Cart.sum(Cart.java:14)\n      shop.Cart$$Lambda/0x000000080100c000.run(Unknown Source)\n'
    printf '      java.base/java.lang.VirtualThread.run(VirtualThread.java:309)\n\n'
    printf '#32 "mailer (1)-7" virtual\n      loader//shop.Mail.send(Mail.java:9)\n\n'
    printf '#33 "" virtual\n      java.base/java.lang.VirtualThread.park(VirtualThread.java:582)\n\n'
    printf '#34 "mailer-8" virtual\n      java.base/java.lang.VirtualThread.parkNanos(VirtualThread.java:631)\n'
    printf '      java.base/java.lang.Thread.sleep(Thread.java:507)\n\n'
}

dump25() {
    local now=2026-01-05T06:33:40.332741Z
    printf '4242\n%s\n25.0.1+8\n\n' $now
    printf '#1 "main" WAITING %s\n    at java.base/java.lang.Object.wait0(Native Method)\n    - waiting on <shop.Main@1b>\n' $now
    printf '    at app//shop.Main.main(Main.java:3)\n\n#9 "Signal Dispatcher" RUNNABLE %s\n\n' $now
    printf '#21 "ForkJoinPool-1-worker-1" WAITING %s\n    at java.base/jdk.internal.vm.Continuation.run(Continuation.java:251)\n\n' $now
    printf '#22 "ForkJoinPool-1-worker-2" TIMED_WAITING %s\n    at java.base/jdk.internal.misc.Unsafe.park(Native Method)\n\n' $now
    printf '#31 "" virtual RUNNABLE %s\n    at shop.Cart.sum(Cart.java:14)\n    - locked <shop.Cart@6f>\n' $now
    printf '    at shop.Cart$$Lambda/0x000000080100c000.run(Unknown Source)\n    at java.base/java.lang.VirtualThread.run(VirtualThread.java:456)\n\n'
    printf '#32 "mailer (1)-7" virtual RUNNABLE %s\n    at loader//shop.Mail.send(Mail.java:9)\n\n' $now
    printf '#33 "" virtual RUNNABLE %s\n    at java.base/java.lang.VirtualThread.yieldContinuation(VirtualThread.java:582)\n\n' $now
    printf '#34 "mailer-8" virtual BLOCKED %s\n    at shop.Mail.lock(Mail.java:4)\n' $now
}

dumped=$'mailer (1);shop.Mail.send 1\nvirtual thread;java.lang.VirtualThread.run;shop.Cart$$Lambda/0x000000080100c000.run;shop.Cart.sum 1'

@test "Thread.dump_to_file: the virtual threads that run are folded, without states by their leaves" {
    dump21 >in
    folds jstack "$dumped" '6 of 8 threads wait or have no Java frames, and are left out'
    try stackcollapse -q --tid in
    [[ $output == 'mailer (1)-7;'*'virtual thread-31;'* ]]
}

@test "Thread.dump_to_file: with states, as since JDK 25, the same" {
    dump25 >in
    folds jstack "$dumped" '6 of 8 threads wait or have no Java frames, and are left out'
    { dump21 && dump25; } >in
    folds jstack "${dumped// 1/ 2}" '12 of 16 threads wait or have no Java frames, and are left out'
}

# The threads of a dump in its JSON form.
as_json() { # FORM
    python3 - "$1" <<- 'END'
	import json, re, sys
	form, threads = sys.argv[1], []
	for block in open("in").read().split("\n\n")[1:]:
	    lines = block.strip().split("\n")
	    head = re.fullmatch(r'#(\d+) "(.*)"( virtual)?(?: ([A-Z_]+) .*)?', lines[0])
	    if head is None:
	        continue
	    stack = [re.sub(r"^ *(at )?", "", line) for line in lines[1:] if not line.strip().startswith("- ")]
	    if form == "21":
	        threads.append({"tid": head[1], "name": head[2], "stack": stack})
	    else:
	        threads.append({"stack": stack, "state": head[4], "tid": int(head[1]), "name": head[2],
	                        "parkBlocker": {"object": "x@1", "owner": 3}, "monitorsOwned": [{"depth": 0, "locks": ["y@2", None]}]})
	containers = [{"container": "<root>", "parent": None, "owner": None, "threads": threads[:3], "threadCount": "3"},
	              {"threadCount": 5, "threads": threads[3:], "container": "java.util.concurrent.ThreadPerTaskExecutor@1", "parent": "<root>"}]
	dump = {"processId": 4242, "time": "2026", "runtimeVersion": form, "threadContainers": containers}
	if form == "25":
	    dump = {"threadContainers": containers, "formatVersion": 2}
	print(json.dumps({"threadDump": dump}, indent=2).replace("base/", "base\\/"))
	END
}

@test "the JSON of Thread.dump_to_file gives what its text gives, in any order of its members" {
    local form
    for form in 21 25; do
        "dump$form" >in
        as_json "$form" >json
        mv json in
        folds jstack-json "$dumped" '6 of 8 threads wait or have no Java frames, and are left out'
        try stackcollapse -q --from=jstack-json --tid in
        [[ $output == 'mailer (1)-7;'*'virtual thread-31;'* ]]
    done
    head -c 700 in >part
    try stackcollapse part
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == *'stackcollapse: part:'*': byte '*': the JSON text ends where '* ]]
}

@test "dumps of ThreadInfo are thread dumps, in which waiting threads do not count" {
    printf '%s\n' '"pool-1-thread-2" Id=77 WAITING on java.util.concurrent.SynchronousQueue@5a67' \
        '	at java.base@17.0.2/jdk.internal.misc.Unsafe.park(Native Method)' '	-  waiting on java.util.concurrent.SynchronousQueue@5a67' '' \
        '	Number of locked synchronizers = 1' '	- java.util.concurrent.ThreadPoolExecutor$Worker@3a0' '' '' \
        '"pool-1-thread-3" daemon prio=5 Id=78 RUNNABLE (in native)' '	at app//shop.Cart.sum(Cart.java:14)' \
        '	-  locked shop.Cart@11' '	at java.base@17.0.2/java.lang.Thread.run(Thread.java:833)' '	...' '' \
        '"main" prio=5 Id=1 BLOCKED on shop.Cart@11 owned by "pool-1-thread-3" Id=78' '	at app//shop.Main.main(Main.java:3)' '' \
        '"reader" Id=80 cpuUsage=12.5% deltaTime=0ms time=1ms RUNNABLE' '    at java.base@17.0.2/sun.nio.ch.EPoll.wait(Native Method)' '' \
        '"worker" id=81 state=RUNNABLE' '    at shop.Cart.sum(Cart.java:14)' '' >in
    folds jstack $'pool-1-thread;[cut];java.lang.Thread.run;shop.Cart.sum 1\nworker;shop.Cart.sum 1' \
        '3 of 5 threads wait or have no Java frames, and are left out'
}

@test "a list of numbered titles is no thread dump" {
    printf 'reports:\n#1 "main" is slow\n#2 "worker" waits\n' >in
    try stackcollapse in
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == *'no line could be used'* ]]
}

# --- exceptions

# A trace of three frames; one that is suppressed in it and has a cause; and its cause, which has a cause. WORDS follow
# each number of frames that are shared.
trace() { # WORDS
    printf '2026-01-05 ERROR request failed\nshop.Failed: cannot sell\n  two carts\n'
    printf '\tat shop.Shop.sell(Shop.java:31)\n\tat shop.Server.serve(Server.java:88)\n\tat shop.Main.main(Main.java:3)\n'
    printf '\tSuppressed: shop.Open: still open\n\t\tat shop.Stream.close(Stream.java:20)\n\t\t... 2 %s\n' "$1"
    printf '\tCaused by: shop.Busy: busy\n\t\tat shop.Lock.take(Lock.java:7)\n\t\t... 3 %s\n' "$1"
    printf '\tSuppressed: shop.Open: another\n\t\tat shop.File.close(File.java:20)\n\t\t... 1 %s\n' "$1"
    printf 'Caused by: shop.Closed: closed\n\tat shop.Stream.read(Stream.java:12)\n\tat shop.Shop.parse(Shop.java:52)\n\t... 2 %s\n' "$1"
    printf 'Caused by: shop.Gone: gone\n\tat shop.Socket.read(Socket.java:9)\n\t... 4 %s\n' "$1"
}

traced='shop.Main.main;shop.File.close 1
shop.Main.main;shop.Server.serve;shop.Shop.parse;shop.Stream.read 1
shop.Main.main;shop.Server.serve;shop.Shop.parse;shop.Stream.read;shop.Socket.read 1
shop.Main.main;shop.Server.serve;shop.Shop.sell 1
shop.Main.main;shop.Server.serve;shop.Stream.close 1
shop.Main.main;shop.Server.serve;shop.Stream.close;shop.Lock.take 1'

@test "a cause and what is suppressed get the frames of the exception that they belong to, in whatever words these are omitted" {
    local words
    for words in more 'common frames omitted' 'frames in common' weitere; do
        trace "$words" >in
        folds java-exceptions "$traced"
    done
    { trace more && trace more; } >in
    folds java-exceptions "${traced// 1/ 2}"
    trace more | sed 's/)$/) ~[shop.jar:1.2]/' >in
    folds java-exceptions "$traced"
    trace more | sed 's/\t/    /g' >in
    folds java-exceptions "$traced"
}

@test "a circular reference is no exception, and what follows keeps its callers" {
    printf '%s\n' 'shop.Failed: a' '	at shop.Shop.sell(Shop.java:31)' '	at shop.Main.main(Main.java:3)' \
        '	Suppressed: shop.Open: b' '		at shop.Stream.close(Stream.java:20)' '		... 1 more' \
        '	Caused by: [CIRCULAR REFERENCE: shop.Failed: a]' 'Caused by: shop.Closed: c' \
        '	at shop.Stream.read(Stream.java:12)' '	... 1 more' 'Caused by: [CIRCULAR REFERENCE: shop.Failed: a]' \
        '	[CIRCULAR REFERENCE:shop.Failed: a]' 'INFO: started' >in
    folds java-exceptions $'shop.Main.main;shop.Shop.sell 1\nshop.Main.main;shop.Stream.close 1\nshop.Main.main;shop.Stream.read 1'
}

@test "causes that are printed before the exceptions that wrap them get their frames" {
    printf '%s\n' 'shop.Gone: gone' '	at shop.Socket.read(Socket.java:9)' '	... 2 common frames omitted' \
        'Wrapped by: shop.Closed: closed' '	at shop.Stream.read(Stream.java:12)' '	at shop.Shop.parse(Shop.java:52)' \
        '	... 1 common frames omitted' 'Wrapped by: shop.Failed: failed' '	at shop.Shop.sell(Shop.java:31)' \
        '	at shop.Main.main(Main.java:3)' 'INFO: started' >in
    folds java-exceptions 'shop.Main.main;shop.Shop.parse;shop.Socket.read 1
shop.Main.main;shop.Shop.parse;shop.Stream.read 1
shop.Main.main;shop.Shop.sell 1'
}

@test "a trace that shares frames with one that is not there is cut" {
    printf '%s\n' 'Caused by: shop.Gone: gone' '	at shop.Socket.read(Socket.java:9)' '	... 2 more' 'INFO: started' \
        'shop.Failed: failed' '	at shop.Main.main(Main.java:3)' '	... 5 frames excluded' '	at shop.Top.run(Top.java:1)' \
        'shop.Deep: deep' '	at shop.Deep.deeper(Deep.java:3)' '	... 90 frames truncated' >in
    folds java-exceptions $'[cut];shop.Deep.deeper 1\n[cut];shop.Socket.read 1\nshop.Top.run;shop.Main.main 1'
}

@test "jstack-json: what the documentation shows is read" {
    cp "$DATA/stackcollapse/jstack-json/documented" in
    folds jstack-json "$(cat "$DATA/stackcollapse/jstack-json/documented.own")"
}
