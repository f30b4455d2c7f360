"""Graphs that knng.write wrote, read by networkx and igraph: read_graphs.py FOLDER

FOLDER has KIND.FORMAT of each kind and format, and KIND.json of each kind, which says what is in them: directed; nodes,
a list of [name, group or null, [x, y] or null, {attribute: value}]; edges, a list of [from, to, weight], from 0. Prints
each failure and at last 'N passed, N failed'. What is XML is checked by gexf.rng and graphml.rng, .cyjs by cyjs.json,
which are beside this file."""

import glob
import html
import json
import math
import os
import sys

import igraph
import jsonschema
import lxml.etree
import networkx

from tally import check, finish


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
    all_known = {a for *_, known in wanted["nodes"] for a in known}
    for i, (node, (name, group, place, known)) in enumerate(zip(nodes, wanted["nodes"])):
        for a in all_known:
            value, got = known.get(a), node.get(a)
            if value is None:  # readers have their own ways to say so
                right = got in (None, "") or (isinstance(got, float) and math.isnan(got))
            else:
                right = alike(got, value) if isinstance(value, (int, float)) else html.unescape(got) == value
            check(right, f"{what}: {a} of node {i}: {got!r}, not {value!r}")
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
here = os.path.dirname(os.path.abspath(__file__))


def relaxed(kind):
    return lxml.etree.RelaxNG(lxml.etree.parse(os.path.join(here, kind + ".rng")))


def valid_xml(schema, file):
    tree = lxml.etree.parse(file)
    if not schema.validate(tree):
        return str(schema.error_log.last_error)
    names = {e.get("id") for e in tree.iter("{*}attribute", "{*}key")}
    used = {e.get("for") or e.get("key") for e in tree.iter("{*}attvalue", "{*}data")}
    ids = [e.get("id") for e in tree.iter("{*}node")]
    ends = {e.get(k) for e in tree.iter("{*}edge") for k in ("source", "target")}
    return "" if used <= names and ends <= set(ids) and len(ids) == len(set(ids)) else "what is used is not declared"


def valid_json(file):
    with open(os.path.join(here, "cyjs.json"), encoding="utf-8") as f, open(file, encoding="utf-8") as g:
        return "; ".join(e.message for e in jsonschema.Draft7Validator(json.load(f)).iter_errors(json.load(g)))


gexf, graphml = relaxed("gexf"), relaxed("graphml")
schemas = {"gexf": lambda f: valid_xml(gexf, f), "graphml": lambda f: valid_xml(graphml, f), "cyjs": valid_json}
folder = sys.argv[1]
faults = {"gexf": ("<nodes>", "<nodes><bad/>"), "graphml": ("<node id", "<node bad='1' id"), "cyjs": ('"source"', '"saucer"')}
for ending, (good, bad) in faults.items():
    with open(os.path.join(folder, "known." + ending), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(folder, "planted"), "w", encoding="utf-8") as f:
        f.write(text.replace(good, bad, 1))
    check(schemas[ending](os.path.join(folder, "planted")), f"a planted fault in {ending}")
for said in sorted(glob.glob(os.path.join(folder, "*.json"))):
    with open(said, encoding="utf-8") as f:
        wanted = json.load(f)
    kind = os.path.basename(said)[: -len(".json")]
    for ending, schema in schemas.items():
        said = schema(os.path.join(folder, f"{kind}.{ending}"))
        check(not said, f"{kind}.{ending}: {said}")
    for ending, programs in readers.items():
        for program, read in programs:
            what = f"{kind}.{ending} by {program}"
            try:
                compare(what, wanted, *read(os.path.join(folder, f"{kind}.{ending}")))
            except Exception as e:  # whatever a reader does not like
                check(False, f"{what}: {type(e).__name__}: {e}")
finish()
