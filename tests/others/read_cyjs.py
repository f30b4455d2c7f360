"""Cytoscape.js, which defines .cyjs, opens what knng.write wrote: read_cyjs.py FOLDER PACKAGE

FOLDER has KIND.cyjs as write_graphs.m makes them. PACKAGE is where pip has put ipycytoscape, which comes with Cytoscape.js; it runs
in Chromium. Every node, edge, attribute and place is there. Prints each failure and at last 'N passed, N failed'."""

import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[1] / 'browser'))
from browser import Browser, Failure  # noqa: E402
from tally import check, finish

# The library is one of the modules of a bundle: that which has a version and makes graphs.
LIBRARY = """(() => {
    const modules = self.webpackChunkjupyter_cytoscape[0][1], made = {};
    const need = (id) => { if (!made[id]) { made[id] = { exports: {} }; modules[id](made[id], made[id].exports, need); } return made[id].exports; };
    need.g = self;
    self.cytoscape = Object.keys(modules).map((id) => { try { return need(id); } catch (error) { return null; } })
        .find((m) => typeof m === 'function' && m.version && m.stylesheet);
    return self.cytoscape.version;
})()"""
READ = """(() => {
    const cy = cytoscape({ elements: (@).elements, headless: true, layout: { name: 'preset' } });
    return { nodes: cy.nodes().map((n) => [n.data(), n.position()]), edges: cy.edges().map((e) => [e.data(), e.source().id(), e.target().id()]) };
})()"""


def main():
    folder, package = map(pathlib.Path, sys.argv[1:])
    bundle = next(f for f in package.glob('labextension/static/*.js') if 'Can not create edge' in f.read_text(encoding='utf-8'))
    with tempfile.TemporaryDirectory() as work, Browser() as b:
        page = pathlib.Path(work) / 'page.html'
        shutil.copy(bundle, pathlib.Path(work) / 'bundle.js')
        page.write_text('<!DOCTYPE html><meta charset="utf-8"><title>x</title><script src="bundle.js"></script>')
        b.open(page, ready='self.webpackChunkjupyter_cytoscape')
        print('Cytoscape.js', b.value(LIBRARY))
        for file in sorted(folder.glob('*.cyjs')):
            text = file.read_text(encoding='utf-8')
            wrote, read = json.loads(text)['elements'], b.value(READ.replace('@', text))
            check(len(wrote['nodes']) == len(read['nodes']) > 0, f"{file.name}: {len(read['nodes'])} nodes")
            for node, (data, place) in zip(wrote['nodes'], read['nodes']):
                check(data == node['data'], f'{file.name}: {data}')
                check('position' not in node or place == node['position'], f"{file.name}: {place}, not {node.get('position')}")
            check(len(wrote['edges']) == len(read['edges']), f"{file.name}: {len(read['edges'])} edges")
            for edge, (data, a, z) in zip(wrote['edges'], read['edges']):
                data.pop('id')                                # which it makes
                check(data == edge['data'] and [a, z] == [data['source'], data['target']], f'{file.name}: {data}')
        try:
            b.value(READ.replace('@', text.replace('"source": "', '"source": "none ', 1)))
            check(False, 'a planted edge of no node')
        except Failure:
            check(True, 'a planted edge of no node')


main()
finish()
