"""Graphs that knng.write wrote, read by networkx and igraph: read_graphs.py FOLDER

FOLDER has KIND.FORMAT of each kind and format, and KIND.json of each kind, which says what is in them: directed; nodes,
a list of [name, group or null, [x, y] or null]; edges, a list of [from, to, weight], from 0. Prints each failure and at
last 'N passed, N failed'."""

import glob
import html
import json
import math
import os
import sys

import igraph
import networkx

passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED", what)


def number(text):
    """What programs of Python leave as a text."""
    return {"INF": math.inf, "-INF": -math.inf, "NaN": math.nan, "NAN": math.nan, None: math.nan}.get(text, text)


def alike(a, b):
    a, b = float(number(a)), float(number(b))
    return a == b or (math.isnan(a) and math.isnan(b))


def compare(what, wanted, directed, nodes, edges):
    """nodes: dictionaries of attributes, in order; edges: {(from, to): weight}."""
    check(directed == wanted["directed"], f"{what}: directed")
    check(len(nodes) == len(wanted["nodes"]), f"{what}: {len(nodes)} nodes")
    for i, (node, (name, group, place)) in enumerate(zip(nodes, wanted["nodes"])):
        check(node["name"] == name, f"{what}: node {i} is {node['name']!r}, not {name!r}")
        check((node.get("group") or None) == group, f"{what}: group of node {i}: {node.get('group')!r}")
        if place:
            check(alike(node["x"], place[0]) and alike(node["y"], place[1]), f"{what}: place of node {i}")
    pairs = {(i, j): w for i, j, w in wanted["edges"]}
    if not directed:
        pairs = {(min(p), max(p)): w for p, w in pairs.items()}
        edges = {(min(p), max(p)): w for p, w in edges.items()}
    check(edges.keys() == pairs.keys(), f"{what}: edges")
    for p in edges.keys() & pairs.keys():
        check(alike(edges[p], pairs[p]), f"{what}: weight of {p}: {edges[p]!r}, not {pairs[p]!r}")


def of_networkx(graph, key):
    at = {v: i for i, v in enumerate(graph)}
    nodes = [dict(data, name=data.get(key, v)) for v, data in graph.nodes(data=True)]
    return graph.is_directed(), nodes, {(at[i], at[j]): w for i, j, w in graph.edges(data="weight")}


def cyjs(file):
    with open(file, encoding="utf-8") as f:
        return networkx.cytoscape_graph(json.load(f))


def of_igraph(graph):
    key = "name" if "name" in graph.vs.attributes() else "label"
    nodes = [dict(v.attributes(), name=html.unescape(v[key])) for v in graph.vs]  # it leaves &#233; of GML as it is
    return graph.is_directed(), nodes, {e.tuple: e["weight"] for e in graph.es}


readers = {
    "gexf": [("networkx", lambda f: of_networkx(networkx.read_gexf(f), "label"))],
    "cyjs": [("networkx", lambda f: of_networkx(cyjs(f), "name"))],
    "graphml": [
        ("networkx", lambda f: of_networkx(networkx.read_graphml(f, force_multigraph=False), "name")),
        ("igraph", lambda f: of_igraph(igraph.Graph.Read_GraphML(f))),
    ],
    "gml": [
        ("networkx", lambda f: of_networkx(networkx.read_gml(f, label="id"), "label")),
        ("igraph", lambda f: of_igraph(igraph.Graph.Read_GML(f))),
    ],
}
folder = sys.argv[1]
for said in sorted(glob.glob(os.path.join(folder, "*.json"))):
    with open(said, encoding="utf-8") as f:
        wanted = json.load(f)
    kind = os.path.basename(said)[: -len(".json")]
    for ending, programs in readers.items():
        for program, read in programs:
            what = f"{kind}.{ending} by {program}"
            try:
                compare(what, wanted, *read(os.path.join(folder, f"{kind}.{ending}")))
            except Exception as e:  # whatever a reader does not like
                check(False, f"{what}: {type(e).__name__}: {e}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
