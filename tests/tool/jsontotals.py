#!/usr/bin/env python3
"""Another reader of profiles that are JSON: prints what their stacks must add up to, or for some formats the stacks.

usage: jsontotals.py FORMAT FILE        FORMAT: see the functions, with "-" for "_"
"""
import collections
import json
import re
import sys


def tree(node, member):
    return node[member] + sum(tree(child, member) for child in node["children"])


def cpuprofile(p):
    """Microseconds."""
    yield sum(p["timeDeltas"])


def v8_prof(p):
    yield len(p["ticks"])


def heapprofile(p):
    """Bytes."""
    yield tree(p["head"], "selfSize")


def v8_head(p):
    """Microseconds."""
    yield sum(max(0, b - a) for a, b in zip(p["timestamps"], p["timestamps"][1:]))


def ghcprof_json(p):
    """Ticks, and bytes."""
    yield tree(p["profile"], "ticks")
    yield tree(p["profile"], "alloc")


def stackprof(p):
    """The stacks, as stackprof --stackcollapse prints them."""
    raw, counts = p["raw"], collections.Counter()
    while raw:
        frames, count, raw = raw[1:raw[0] + 1], raw[raw[0] + 1], raw[raw[0] + 2:]
        counts[";".join(p["frames"][str(f)]["name"] for f in frames)] += count
    yield from (f"{stack} {count}" for stack, count in counts.items())


def firefox(p):
    """The stacks of a profile that Firefox wrote, of all processes, by thread."""
    def table(t):
        return [{k: row[i] if i < len(row) else None for k, i in t["schema"].items()} for row in t["data"]]
    counts, processes = collections.Counter(), [p]
    for process in processes:
        processes += process.get("processes", [])
        for thread in process["threads"]:
            stacks, frames = table(thread["stackTable"]), table(thread["frameTable"])
            for sample in table(thread["samples"]):
                stack, names = sample["stack"], []
                while stack is not None:
                    name = thread["stringTable"][frames[stacks[stack]["frame"]]["location"]]
                    names.append("[unknown]" if name.startswith("0x") else name.replace(";", ":"))
                    stack = stacks[stack]["prefix"]
                if names:
                    counts[";".join([thread["name"]] + names[::-1])] += 1
    yield from (f"{stack} {count}" for stack, count in counts.items())


def chrome_tracing(p):
    """The microseconds that the CPU profiles of a trace take, its samples, and those in the function "hot" itself.

    A profile takes as long as the latest of its samples is from its start."""
    now, latest, names, samples, hot = {}, {}, {}, 0, 0
    events = sorted(p["traceEvents"], key=lambda e: e["ts"])
    chunks = [((e["pid"], e["id"]), e["args"]["data"]) for e in events if e["name"] == "ProfileChunk"]
    for profile, data in chunks:
        for node in data.get("cpuProfile", {}).get("nodes", []):
            names[profile, node["id"]] = node["callFrame"]["functionName"]
    for profile, data in chunks:
        for node, delta in zip(data.get("cpuProfile", {}).get("samples", []), data.get("timeDeltas", [])):
            now[profile] = now.get(profile, 0) + delta
            latest[profile] = max(latest.get(profile, 0), now[profile])
            samples += 1
            hot += names[profile, node] == "hot"
    yield f"{sum(latest.values())} {samples} {hot}"


with open(sys.argv[2]) as f:
    for line in globals()[re.sub("-", "_", sys.argv[1])](json.load(f)):
        print(line)
