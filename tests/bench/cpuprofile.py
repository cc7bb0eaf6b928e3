"""A CPU profile of V8 with many nodes, as node --cpu-prof writes one of a large program: 210,000 stacks of 25 frames,
whose samples follow one another in no order."""
import json
import random

NODES = 210 * 1000
FUNCTIONS = 6000
FILES = 300
DEPTH = 24
FIRST, LAST = ("visit", "parse", "check", "emit", "bind", "resolve", "get"), ("Node", "Type", "Symbol", "Statement", "")


def choose_functions(rand):
    return [{"functionName": "%s%s%d" % (rand.choice(FIRST), rand.choice(LAST), i % 40), "scriptId": str(30 + i % FILES),
             "url": "file:///srv/app/node_modules/part%d/lib/index.js" % (i % FILES), "lineNumber": rand.randrange(5000),
             "columnNumber": rand.randrange(60)} for i in range(FUNCTIONS)]


def make_nodes(rand):
    """A random walk through the tree: some levels up, then some calls down."""
    functions = choose_functions(rand)
    root = {"functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1}
    nodes, path = [{"id": 1, "callFrame": root, "hitCount": 0, "children": []}], [0]
    while len(nodes) < NODES:
        depth = min(len(path), DEPTH)
        path = path[:max(1, depth - int(rand.expovariate(1 / 3)))]
        for _ in range(rand.randrange(1, 8)):
            nodes[path[-1]].setdefault("children", []).append(len(nodes) + 1)
            path.append(len(nodes))
            nodes.append({"id": len(nodes) + 1, "callFrame": rand.choice(functions), "hitCount": 0})
    return nodes


def write(out):
    rand = random.Random(0)
    nodes = make_nodes(rand)
    for node in nodes[1:]:
        node["hitCount"] = rand.choice((1, 1, 1, 2, 3, 8))
        node["positionTicks"] = [{"line": node["callFrame"]["lineNumber"] + 2, "ticks": node["hitCount"]}]
    samples = [node["id"] for node in nodes for _ in range(node["hitCount"])]
    rand.shuffle(samples)
    deltas = [rand.randrange(900, 1400) for _ in samples]
    start = 27552904445
    profile = {"nodes": nodes, "startTime": start, "endTime": start + sum(deltas), "samples": samples, "timeDeltas": deltas}
    out.write(json.dumps(profile, separators=(",", ":")).encode())
