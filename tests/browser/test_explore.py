"""test_explore.py [--firefox] [--deep] [PART]  Pages of knng.explore in Chromium or Firefox, driven by mouse, keys and touch: what they show is
what Octave says, files that they save are read back, nothing that is in the data runs, and nothing leaves the page.

Prints each failure and at last 'N passed, N failed'. With a PART, such as lasso, it runs the functions with that name
alone; with --deep it tries more. The browser and octave-cli have to be there."""

import base64
import csv
import io
import json
import math
import os
import pathlib
import random
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser, Failure  # noqa: E402
from firefox import Firefox  # noqa: E402

ROOT = pathlib.Path(__file__).absolute().parents[2]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix='knng-pages-'))
DEEP = '--deep' in sys.argv
FIREFOX = '--firefox' in sys.argv
ASKED = [a for a in sys.argv[1:] if not a.startswith('--')]
passed = failed = 0


def check(right, what):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print('FAIL', what, flush=True)


def octave(code):
    command = ['octave-cli', '--norc', '-H', '-q', '--path', ROOT, '--path', ROOT / 'tests' / 'browser', '--eval', code]
    done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(done.stderr)
    return done.stdout


def facts(name):
    return json.loads((FOLDER / (name + '.json')).read_text())


def page(name):
    return FOLDER / (name + '.html')


def quiet(b, what):
    """One request, nothing in the console."""
    check(len(b.requests) == 1 and b.requests[0].startswith('file://'), f'{what}: requests {b.requests}')
    check(not b.console, f'{what}: console {b.console}')


def texts(b, selector):
    return b.value(f'Array.from(document.querySelectorAll({json.dumps(selector)}), (e) => e.textContent)')


def text(b, selector):
    return b.value(f'document.querySelector({json.dumps(selector)}).textContent')


def table(b):
    """The table of neighbours: a list of cells for each row."""
    return b.value("Array.from(document.querySelectorAll('#gene tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")


def near(shown, right, digits):
    """Whether a text is the number, to so many digits."""
    return math.isclose(float(shown), right, rel_tol=0.51 * 10 ** (1 - digits), abs_tol=1e-300)


def press(b, name):
    """Clicks the button that has this text or name, as soon as it is there."""
    code = f"Array.from(document.querySelectorAll('button')).find((e) => e.textContent === {json.dumps(name)} || e.ariaLabel === {json.dumps(name)})"
    b.until(f'{code} && !{code}.disabled')
    b.value(f'{code}.click()')


def choose(b, selector, value):
    """Takes a value of a choice."""
    code = f'document.querySelector({json.dumps(selector)})'
    b.until(code)
    b.value(f"{code}.value = {json.dumps(value)}, {code}.dispatchEvent(new Event('change'))")


def go(b, address):
    """Goes to an address of the page, and waits until it is shown."""
    row = int(address.split('/')[2])
    b.value(f"location.hash = {json.dumps(address)}")
    b.until(f'page.chosen === {row - 1}' + (" && document.getElementById('path').children.length > 0" if address.startswith('#/p') else ''))


def settle(b):
    """Lets the page finish what it has begun: a frame, and what waits behind it."""
    b.value('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))')


def saved(b, name, button):
    """The file that the button makes the browser save."""
    return b.saved(name, lambda: press(b, button))


def edits(a, z):
    """How many letters left out, put in, changed, exchanged with the next: the whole table."""
    d = [[i + j if i * j == 0 else 0 for j in range(len(z) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(z) + 1):
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != z[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == z[j - 2] and a[i - 2] == z[j - 1]:
                d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1)
    return d[-1][-1]


# ---- the parts --------------------------------------------------------------------------------------------------------
def look_up(b):
    """Names by keys: exact, the beginning, letters exchanged, unknown; a label."""
    b.open(page('main'))

    def ask(words):
        b.key('/', '/')
        b.until("document.activeElement.id === 'search'")
        b.value("document.getElementById('search').value = ''")
        b.type(words)
        b.until(f"document.getElementById('search').value === {json.dumps(words)}")
        return texts(b, '#found li')

    check(ask('gene042_at') == ['gene042_at'], 'an exact name')
    check(ask('GENE01')[:2] == ['gene010_at', 'gene011_at'], 'the beginning of a name')
    found = ask('gnee042_at')
    check(found[0].startswith('No such name. Did you mean') and found[1] == 'gene042_at', f'letters exchanged: {found}')
    check(ask('qqqqqqqq') == ['No such name, nor one nearly so.'], 'an unknown name')
    check(ask('zyx') == ['X95735_at · zyxin'], 'a label')
    b.key('ArrowDown')
    b.until("document.getElementById('search').getAttribute('aria-activedescendant') === 'found-0'")
    check(True, 'the marked name is said')
    b.key('Enter', '\r')
    b.until("document.getElementById('gene-title').textContent === 'X95735_at · zyxin'")
    check(b.value('location.hash') == '#/g/17', 'Enter goes to the row')
    ask('gene04')
    check(not b.value("document.getElementById('found').hidden"), 'the list is open')
    b.key('Escape')
    b.until("document.getElementById('found').hidden")
    check(True, 'Escape closes the list')
    chance = random.Random(2)
    words = [''.join(chance.choice('abc') for _ in range(chance.randrange(1, 9))) for _ in range(60)]
    said = b.value(f'(() => {{ const w = {json.dumps(words)}; return w.map((a) => w.map((z) => Math.abs(a.length - z.length) > 3 ? 4 : editDistance(a, z, 3))); }})()')
    check(all(min(edits(a, z), 4) == min(e, 4) for a, row in zip(words, said) for z, e in zip(words, row)), 'numbers of edits')
    quiet(b, 'search')


def go_on(b):
    """Links, back, forward, reload, a pasted address, a wrong one."""
    b.open(page('main'), '#/g/17')
    title = "document.getElementById('gene-title').textContent"
    first = table(b)[0][1]
    b.value("document.querySelector('#gene tbody a').focus()")
    b.key('Enter', '\r')
    b.until(f'{title} === {json.dumps(first)}')
    b.until("document.activeElement.id === 'gene-title'")
    check(True, 'the keyboard stays at the row')
    b.value("document.querySelector('#gene tbody tr:nth-child(2) a').click()")
    b.until(f'{title} !== {json.dumps(first)}')
    b.value('history.back()')
    b.until(f'{title} === {json.dumps(first)}')
    b.value('history.back()')
    b.until(f"{title} === 'X95735_at · zyxin'")
    b.value('history.forward()')
    b.until(f'{title} === {json.dumps(first)}')
    b.reload()
    check(b.value(title) == first, 'the row is there after a reload')
    page('saved').write_text('<!DOCTYPE html>' + b.value('document.documentElement.outerHTML'))
    b.open(page('saved'), '#/g/17', ready="document.readyState === 'complete' && typeof page === 'object' && page.chosen === 16")
    check(b.value(title) == 'X95735_at · zyxin' and b.value("document.querySelectorAll('#all').length") == 1, 'a page that a browser has saved')
    for wrong in ('#/g/0', '#/g/241', '#/g/x', '#/g/1e1', '#/zz', '#/g/-1'):
        b.open(page('main'), wrong)
        check(b.value(title) == 'There is no such row', 'the address ' + wrong)
    b.open(page('main'), '#/g/7')
    b.until("document.getElementById('why').textContent !== ''")
    check(text(b, '#alone') == "No neighbours. 1 of its 24 values is missing: such rows take part in a search with 'Rows', 'pairwise' of knngraph.",
          f"a row without neighbours: {text(b, '#alone')}")
    go(b, '#/g/8')
    b.until("document.getElementById('why').textContent !== ''")
    check(text(b, '#why') == 'Its values are all the same: then there is no correlation.', f"a constant row: {text(b, '#why')}")
    check(texts(b, '.alone') == ['2 of the 240 rows have no neighbours Select these'], f"how many have none: {texts(b, '.alone')}")
    press(b, 'Select the rows without neighbours')
    check(b.value('page.selection') == [6, 7], 'and which')
    quiet(b, 'links')
    b.open(page('main'))
    check(len(texts(b, '#gene .alone')) == 1, 'the page says so at its beginning, too')
    b.open(page('odd-points'))
    check(texts(b, '.alone') == ['every row has neighbours'], f"none without: {texts(b, '.alone')}")


def tables_are_right(b):
    """The table of neighbours against knngraph and knng.edges: every row."""
    right = facts('main')
    pairs = {(i, j): e for e, (i, j) in enumerate(zip(right['i'], right['j']))}
    b.open(page('main'), '#/g/1')
    hubs = [sum(row.count(i + 1) for row in right['idx']) for i in range(240)]
    wrong = []
    for i in range(240):
        cells = b.value(f"showRow({i}), Array.from(document.querySelectorAll('#gene tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")
        for c, (j, row) in enumerate(zip([j for j in right['idx'][i] if j > 0], cells)):
            e = pairs[min(i + 1, j), max(i + 1, j)]
            fine = (row[0] == str(c + 1) and row[1] == right['names'][j - 1] and row[2] == right['labels'][j - 1] and
                    row[3] == f"{right['r'][e]:.5f}" and near(row[4], right['p'][e], 3) and near(row[5], right['fdr'][e], 3) and
                    (row[6] != '') == (i + 1 in right['idx'][j - 1]) and row[7] == str(hubs[j - 1]))
            if not fine:
                wrong.append((i + 1, row, right['p'][e], right['fdr'][e]))
        if len(cells) != sum(j > 0 for j in right['idx'][i]):
            wrong.append((i + 1, 'rows'))
    check(not wrong, f'{len(wrong)} lines of tables are wrong, first {wrong[:1]}')
    check(f"rows whose neighbours are certified: by single precision {right['certified']}" in texts(b, '#foot p'), 'the foot says how many rows were certified')
    check(text(b, '#checksum') == right['checksum'], 'the foot has the checksum')
    check(text(b, '#call') == "knng.explore (file, [1-by-1 struct], [240-by-6 double], [240-by-6 double], 'Metric', 'pearson', 'Title', "
          "'The main page', 'Groups', [1-by-240 cell], 'XY', [240-by-2 double], 'Labels', [240-by-1 cell], 'Info', [1-by-1 struct], "
          "'Phenotypes', [1-by-1 struct])", f"the foot has the call: {text(b, '#call')}")
    check(any(said.startswith('made by ') and said.endswith(f", knng {right['version']}") for said in texts(b, '#foot p')), 'and the version')
    check(any('values are rounded to 255 steps a row' in said for said in texts(b, '#foot p')), 'and the rounding')
    press(b, 'Compute it again')
    b.until("/It is that/.test(document.getElementById('check').textContent)")
    b.value('page.data.dist[40] += 1e-16')
    press(b, 'Compute it again')
    b.until("/another one/.test(document.getElementById('check').textContent)")


def pairwise_tests(b, name):
    """p and rates of each pair by the samples that its two rows share: every row's table."""
    right = facts(name)
    pairs = {(i, j): e for e, (i, j) in enumerate(zip(right['i'], right['j']))}
    b.open(page(name), '#/g/1')
    check(min(right['samples']) < 3 and len(set(right['samples'])) > 4, f"the pairs differ: {sorted(set(right['samples']))}")
    wrong = []
    for i, near_ones in enumerate(right['idx']):
        cells = b.value(f"showRow({i}), Array.from(document.querySelectorAll('#gene tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")
        for j, row in zip([j for j in near_ones if j > 0], cells):
            e = pairs[min(i + 1, j), max(i + 1, j)]
            if not (row[3] == f"{right['r'][e]:.5f}" and row[4] == str(right['samples'][e]) and near(row[5], right['p'][e], 3) and
                    near(row[6], right['fdr'][e], 3)):
                wrong.append((i + 1, row, right['samples'][e], right['p'][e], right['fdr'][e]))
    check(not wrong, f'{len(wrong)} lines of tables are wrong, first {wrong[:1]}')
    return right


def ranks(b):
    """By spearman the same p as knng.edges: exact of few samples, never 0."""
    right = pairwise_tests(b, 'ranks')
    check(min(right['p']) > 0 and min(right['samples']) < 13 < max(right['samples']), 'both kinds of tests are there, and no p is 0')
    check(any(r > 0.99999 for r in right['r']), 'and pairs of the same order')
    quiet(b, 'ranks')


def gaps(b):
    """Rows with missing values."""
    pairwise_tests(b, 'gaps')
    b.size(1265, 900)                                         # 1280, of which the window's bar takes 15; so does the table's
    b.until("page.rate && !Array.from(document.querySelectorAll('#gene td')).some((c) => c.textContent === '…')")
    least, room = b.value("""(() => {
        const table = document.querySelector('#gene table');
        table.style.width = 'min-content';
        return [table.scrollWidth, table.parentElement.clientWidth];
    })()""")
    check(400 < least <= room - 15, f'all columns of the table fit: {least} of {room} pixels')
    b.size(1200, 900)
    quiet(b, 'gaps')


def alone(b):
    """Why a row has no neighbours, how many of its values are missing; a row that lists itself."""
    right = facts('alone')
    b.open(page('alone'), '#/g/3')
    for i, why in enumerate(right['why'], 1):
        go(b, f'#/g/{i}')
        if why:
            b.until("document.getElementById('why')?.textContent")
            check(text(b, '#why') == why, f"row {i}: {text(b, '#why')}")
        else:
            b.until("document.querySelector('#profile svg')")
            missing = sum(v is None for v in right['X'][i - 1])
            said = f"{missing} of its 8 values {'is' if missing == 1 else 'are'} missing or infinite." if missing else ''
            check(text(b, '#gaps') == said and b.value("document.getElementById('gaps').hidden") == (not said), f"gaps of row {i}: {text(b, '#gaps')}")
    check(sum(not w for w in right['why']) > 10 and len(set(right['why'])) == 5, f"reasons: {set(right['why'])}")
    quiet(b, 'rows without neighbours')
    for name, why in (('graph', 'The page has no values that would say why: rows with missing values have none.'),
                      ('zero', 'Its values are all 0: then there is no cosine.'),
                      ('whole', 'All its values are missing.'),
                      ('far', 'Its values do not say why: no row may be near enough, or its edges were left out of the graph.')):
        b.open(page('alone-' + name), '#/g/1')
        b.until("document.getElementById('why')?.textContent")
        check(text(b, '#why') == why, f"{name}: {text(b, '#why')}")
        check(not texts(b, '#profile svg') or name != 'whole', 'no profile without values')
        quiet(b, name)
    b.open(page('itself'), '#/g/1')
    check([row[1] + row[2] + row[3] + row[4] for row in table(b)] == ['10itself1', '21⇄2', '321'], f'a row that lists itself: {table(b)}')
    check(b.value('Array.from(page.data.hub)') == [1, 2, 1], 'it does not count among those that list it')
    check([r[3:6] for r in group_table(b)] == [['1', '67 %', '1, 2']], f'nor inside a group: {group_table(b)}')
    check(texts(b, '.alone') == ['every row has neighbours'], 'it has neighbours')
    quiet(b, 'a row that lists itself')


def group_table(b):
    return b.value("Array.from(document.querySelectorAll('#groups tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")


def paths(b):
    """A path has as few edges as there can be, and no other so short is shorter."""
    right = facts('main')
    edges = {}
    for i, j, r in zip(right['i'], right['j'], right['r']):
        edges.setdefault(i, {})[j] = edges.setdefault(j, {})[i] = 1 - r

    def best(a, z):
        front, steps = {a: 0.0}, 0
        seen = set(front)
        while front and z not in front:
            following = {}
            for i, far in front.items():
                for j, d in edges.get(i, {}).items():
                    if j not in seen:
                        following[j] = min(following.get(j, math.inf), far + d)
            seen |= set(following)
            front, steps = following, steps + 1
        return (steps, front[z]) if front else None

    b.open(page('main'))
    for a, z in ((1, 2), (17, 230), (3, 3), (5, 7), (100, 4), (12, 77)):
        got = b.value(f'pathBetween(page.data, {a - 1}, {z - 1})')
        want = best(a, z)
        if want is None or got is None:
            check(want is None and got is None, f'no path from {a} to {z}')
        else:
            length = sum(edges[i + 1][j + 1] for i, j in zip(got, got[1:]))
            check(len(got) - 1 == want[0] and math.isclose(length, want[1], rel_tol=1e-12, abs_tol=1e-12), f'the path from {a} to {z}')
    b.open(page('main'), '#/p/1/7')
    check('No path' in text(b, '#path'), 'a row in another part')
    b.open(page('main'), '#/p/17/27')
    check(len(texts(b, '#path li')) >= 2, 'the path of an address is shown')


def lasso(b):
    """The lasso by mouse: what it takes is what inpolygon takes; its CSV and its code say the same."""
    b.size(1200, 900)
    b.open(page('main'))
    box = b.value("(() => { const r = document.getElementById('map').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")
    loop = [(box[0] + box[2] * (0.45 + 0.4 * math.cos(t / 6) * (1 + 0.3 * math.sin(t))),
             box[1] + box[3] * (0.5 + 0.4 * math.sin(t / 6))) for t in range(38)]
    b.drag(loop, shift=True)
    b.until('page.selection.length > 0')
    rows = [i + 1 for i in b.value('page.selection')]
    check(20 < len(rows) < 220, f'the lasso takes {len(rows)} rows')
    press(b, 'Octave code of the selection')
    b.until("document.getElementById('copy').open")
    code = b.value("document.getElementById('copy-text').value")
    b.key('Escape')
    b.until("!document.getElementById('copy').open")
    check(b.value('page.selection.length') == len(rows), 'Escape closes the code, and nothing else')
    octave(code.replace('ds.names(rows)', '') + "load places.txt; XY = double (single (XY)); want = find (inpolygon (XY(:, 1), XY(:, 2), polygon(:, 1), polygon(:, 2)))'; "
           f"assert (rows, want); assert (rows, {rows})")
    check(True, 'inpolygon takes the same')
    lines = list(csv.reader(saved(b, 'selection.csv', 'Selection as CSV').decode().splitlines()))
    right = facts('main')
    check([int(line[0]) for line in lines[1:]] == rows, 'the CSV has these rows')
    names = [line[1] for line in lines[1:]]
    check(all(n == right['names'][r - 1] or n == "'" + right['names'][r - 1] for n, r in zip(names, rows)), 'and their names')
    b.value('select([17, 18], null)')
    defused = saved(b, 'selection.csv', 'Selection as CSV').decode()
    check("18,'=1+2," in defused and "19,'-cmd," in defused, 'formulas are defused')
    press(b, 'Clear the selection')
    check(b.value("document.getElementById('selection-part').hidden"), 'the selection can be cleared')
    b.click('#lasso')
    b.until("document.getElementById('lasso').getAttribute('aria-pressed') === 'true'")
    b.drag(loop)
    b.until('page.selection.length > 0')
    check([i + 1 for i in b.value('page.selection')] == rows, 'the button makes a lasso too')
    quiet(b, 'lasso')


def the_map(b):
    """Mouse, wheel, keys; colours; a point that is clicked; pictures that are saved."""
    b.size(1200, 900)
    b.open(page('main'))
    view = lambda: b.value('[page.map.left, page.map.top, page.map.scale]')  # noqa: E731
    first = view()
    x, y = b.place('#map')
    b.wheel(x, y, 100)
    b.until('scrollY > 50')
    check(view() == first, 'the wheel moves the page')
    b.value('scrollTo(0, 0)')
    wheel = "document.getElementById('map').dispatchEvent(new WheelEvent('wheel', {deltaY: -300, clientX: %d, clientY: %d, cancelable: true, %s}))"
    check(not b.value(wheel % (x, y, 'ctrlKey: true')) and b.value('page.map.scale') > first[2] * 1.2, 'with Ctrl it zooms')
    check(not b.value(wheel % (x, y, 'metaKey: true')) and b.value(wheel % (x, y, 'altKey: true')), 'with the key of a Mac, too')
    b.value("page.map.fit(), document.getElementById('map').focus()")
    b.wheel(x, y, -300)
    b.until(f'page.map.scale > {first[2]} * 1.2')
    before = view()
    b.drag([(x, y), (x + 50, y + 20)])
    b.wait(lambda: abs((before[0] - view()[0]) * before[2] - 50) < 1e-6 and abs((view()[1] - before[1]) * before[2] - 20) < 1e-6, 'the map moves')
    check(b.value('page.chosen') == -1, 'a drag chooses no point')
    b.value('document.activeElement.blur()')
    b.drag([(x + 50, y + 20), (x, y)])
    check(b.value('document.activeElement.id') == 'map', 'where the mouse was pressed the map has the focus, and so the wheel')
    b.value("document.getElementById('map').focus()")
    b.key('0', '0')
    b.wait(lambda: view() == first, '0 shows all')
    for key in ('+', '-', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'):
        before = view()
        b.key(key, key if len(key) == 1 else '')
        b.wait(lambda: view() != before, f'the key {key} on the map')
    b.key('0', '0')
    b.wait(lambda: view() == first, '0 shows all again')
    b.key('Enter', '\r')
    b.until("location.hash.startsWith('#/g/') && page.chosen >= 0")
    check(True, 'the keys of the map')
    row = 32
    at = b.value(f"(() => {{ const r = document.getElementById('map').getBoundingClientRect(); return [r.left + 1 + page.map.xOf({row}), r.top + 1 + page.map.yOf({row})]; }})()")
    b.click(at)
    nearest = b.value(f'page.map.at(page.map.xOf({row}), page.map.yOf({row})) + 1')
    b.until(f"location.hash === '#/g/{nearest}' && page.chosen === {nearest} - 1")
    pictures = set()
    for colour in b.value("Array.from(document.querySelectorAll('#colour option'), (o) => o.value)")[:8]:
        b.value(f"document.getElementById('colour').value = '{colour}', document.getElementById('colour').dispatchEvent(new Event('change')), recolour()")
        pictures.add(b.value("Array.from(page.map.colours).join()"))
    check(len(pictures) == 8, f'the colourings differ: {len(pictures)}')
    png = saved(b, 'map.png', 'PNG')
    wide, high = struct.unpack('>II', png[16:24])
    check(png[:8] == b'\x89PNG\r\n\x1a\n' and wide > 300 and high > 300, 'the PNG of the map')
    svg = xml.etree.ElementTree.fromstring(saved(b, 'map.svg', 'SVG'))
    points = [e for e in svg.iter() if (e.tag.endswith('circle') or e.tag.endswith('polygon')) and e.get('class') != 'ring']
    check(len(points) == 239, f'the SVG of the map has {len(points)} points')
    words = {e.text for e in svg.iter() if e.tag.endswith('text')}
    check(words == set(b.value('page.map.named.map((n) => n.text)')) and len(words) > 5, 'the SVG of the map has the names that are seen')
    svg = xml.etree.ElementTree.fromstring(saved(b, 'profile.svg', 'Profile as SVG'))
    check(len([e for e in svg.iter() if e.tag.endswith('path')]) > 6, 'the SVG of the profile')
    quiet(b, 'map')


def pixels(b):
    """Every point is on the canvas, in its colour, where its place says; groups with a shape each have room."""
    b.size(1200, 900)
    b.open(page('main'))
    wrong = b.value("""(() => {
        page.map.titles = []; page.data.byHub = []; page.map.draw();
        const c = document.getElementById('map').getContext('2d');
        const taken = new Map();
        let wrong = 0;
        for (let i = page.data.n - 1; i >= 0; i--) {
            const [x, y] = [Math.round(page.map.xOf(i)), Math.round(page.map.yOf(i))];
            if (Number.isNaN(x) || [...taken.values()].some((t) => Math.hypot(t[0] - x, t[1] - y) < 14)) continue;
            taken.set(i, [x, y]);
            const p = c.getImageData(x - 1, y - 1, 1, 1).data, v = page.map.colours[i];
            wrong += p[0] !== (v & 255) || p[1] !== (v >> 8 & 255) || p[2] !== (v >> 16 & 255);
        }
        return [wrong, taken.size];
    })()""")
    check(wrong[0] == 0 and wrong[1] > 50, f'{wrong[0]} of {wrong[1]} points have other colours')
    looks = b.value('new Set(Array.from({ length: 40 }, (u, g) => JSON.stringify(lookOf(g + 1)))).size')
    check(looks == 40, 'forty groups look different')
    check(b.value('new Set(Array.from({ length: 40 }, (u, g) => lookOf(g + 1).colour)).size') == 40, 'each has a colour of its own')
    b.open(page('odd-60-groups'))
    shown = b.value("""(() => {
        const points = new Map(), { data, map } = page;
        for (let i = 0; i < data.n; i++) if (page.rank[data.group[i]] > 0) points.set(data.group[i], map.colours[i]);
        const fill = (mark) => mark.querySelector('circle, polygon').getAttribute('fill');
        return [[...points.values()], page.groupList.slice(0, 16).map((g) => points.get(g.number)),
            Array.from(document.querySelectorAll('#legend svg.mark'), fill).slice(0, 16).map((c) => pixelOf(rgb(c))),
            Array.from(document.querySelectorAll('#groups svg.mark'), fill).slice(0, 16).map((c) => pixelOf(rgb(c)))];
    })()""")
    check(len(shown[0]) == len(set(shown[0])) == 40, f'the points of forty groups have {len(set(shown[0]))} colours')
    check(shown[1] == shown[2] == shown[3], 'the legend and the table of groups have the colours of the map')


def values_and_heat(b):
    """Values are those of X to their rounding; the heat map orders what is alike."""
    right = facts('main')
    b.open(page('main'), '#/g/3')
    off = 0
    for i in range(0, 240, 7):
        row = [v for v in right['X'][i]]
        known = [v for v in row if v is not None]
        got = b.value(f'Array.from(valuesOf(page.data, {i}), (v) => Number.isNaN(v) ? null : v)')
        span = max(known) - min(known)
        off += any((g is None) != (v is None) or (v is not None and abs(g - v) > span / 508 * 1.0001) for g, v in zip(got, row))
    check(off == 0, f'{off} rows of values are off')
    check(b.value('valuesOf(page.data, 6)[2]') is None or b.value('Number.isNaN(valuesOf(page.data, 6)[2])'), 'a missing value is missing')
    b.value('select(page.groupList[0].rows.slice(9, 29).concat(page.groupList[1].rows.slice(9, 29)), null)')
    press(b, 'Heat map')
    b.until("document.querySelector('#heat canvas')")
    listed = texts(b, '.heat-names a')
    called = {label or name: name for label, name in zip(right['labels'], right['names'])}
    group = {c: g for c, g in zip(called, right['groups'])}
    changes = sum(group[a] != group[z] for a, z in zip(listed, listed[1:]))
    check(len(listed) == 40 and changes == 1, f'the heat map puts two groups side by side: {changes} changes')
    check(texts(b, '#heat .scale') == ['−2.52.5 SD'] and texts(b, '#heat .legend span') == ['ALL', 'AML', 'CML', 'none'], 'the heat map says what its bar means')
    check(saved(b, 'heatmap.png', 'Heat map as PNG')[:4] == b'\x89PNG', 'the PNG of the heat map')
    heat_drawing(b, right, 'ALL AML CML'.split())
    lines = list(csv.reader(saved(b, 'heatmap.csv', 'Values of the heat map as CSV').decode().splitlines()))
    check([line[0].lstrip("'") for line in lines[1:]] == [called[c] for c in listed] and len(lines[0]) == 25, 'the CSV of the heat map')
    choose(b, '#heat-by', '3')
    b.until("document.querySelector('#heat .legend').textContent === 'femalemale'")
    check(texts(b, '.heat-names a') == listed, 'other classes: the same rows')
    b.until("document.activeElement.id === 'heat-by'")        # when all that shows the classes is drawn
    check(True, 'and the choice has the focus')
    heat_drawing(b, right, ['female', 'male'])
    choose(b, '#heat-by', '2')
    b.until("document.querySelectorAll('#heat .legend span').length === 6")
    check(texts(b, '#heat .legend span')[-1] == 'none', f"values of a phenotype: {texts(b, '#heat .legend span')}")
    svg = heat_drawing(b, right, texts(b, '#heat .legend span'))
    samples = [int(w[1:]) - 1 for w in named(svg, 'sample')]
    check(samples == sorted(range(24), key=lambda j: (math.inf if right['years'][j] is None else right['years'][j])), 'samples by their years')
    b.value('select(page.groupList.flatMap((g) => g.rows), null)')
    press(b, 'Heat map')
    b.until("document.querySelector('#heat canvas')?.height > 200")
    svg = xml.etree.ElementTree.fromstring(saved(b, 'heatmap.svg', 'Heat map as SVG'))
    cells = cells_of(svg)
    check(len(cells) == 24 * 241 and not named(svg, 'row'), f'the SVG of a heat map of 239 rows: {len(cells)} cells')
    quiet(b, 'heat map')


def clustergram(b):
    """Rows and samples stand as knng.clustergram has them, cells have their colours; a click on a branch selects its rows, one on a row opens it,
    and what is selected or open elsewhere is marked."""
    right = facts('main')
    order, samples, steps = [int(v) for v in right['order']], [int(v) for v in right['sample_order']], right['tree']
    b.size(1200, 1000)
    b.open(page('main'))
    check(b.value('[Array.from(page.data.gram.rows), Array.from(page.data.gram.columns)]') == [order, samples], 'the order of rows and samples')
    b.value("document.getElementById('gram-part').scrollIntoView()")
    l, box = b.value("(() => { const r = document.getElementById('gram').getBoundingClientRect(); return [page.gram.layOut(), [r.left + 1, r.top + 1]]; })()")
    wrong = b.value("""((Z) => {
        page.gram.axes[0].to(100, 20); page.gram.draw();
        const { canvas } = page.gram, l = page.gram.layOut(), { rows, columns } = page.data.gram;
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let wrong = 0;
        for (let p = 100; p < 120; p++) for (let s = 0; s < 24; s++) {
            const x = Math.floor(l.left + page.gram.axes[1].pixel(s + 0.5)), y = Math.floor(l.top + page.gram.axes[0].pixel(p + 0.5));
            const v = Z[rows[p] - 1][columns[s] - 1];
            wrong += scaleColour(v === null ? NaN : v / 2.5).some((part, i) => Math.abs(part - pixels[4 * (y * canvas.width + x) + i]) > 3);
        }
        page.gram.fit(); page.gram.draw();
        return wrong;
    })(%s)""" % json.dumps(right['Z']))
    check(wrong == 0, f'{wrong} of 480 cells have other colours')
    seen = b.value("""(() => {
        const { canvas } = page.gram, l = page.gram.layOut(), { data } = page, { rows, columns } = data.gram;
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
        page.gram.axes[0].to(100, 20); page.gram.draw();
        copy.drawImage(canvas, 0, 0);
        page.gram.fit(); page.gram.draw();
        const at = (x, y) => hex(Array.from(copy.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3)));
        const classes = columns.reduce((list, j, s) => list.add(data.phenotypes[0].of[j - 1] + at(l.left + page.gram.axes[1].pixel(s + 0.5), l.barsTop + 5)), new Set());
        let wrong = 0;
        for (let p = 100; p < 120; p++) {
            const y = l.top + (p - 99.5) / 20 * page.gram.axes[0].room;
            wrong += pixelOf(rgb(at(l.left - 8, y))) !== page.map.colours[rows[p] - 1];
        }
        const legend = document.querySelector('#gram-legend .legend');
        return [[...classes].sort(), Array.from(legend.querySelectorAll('polygon'), (e) => e.getAttribute('fill')), wrong];
    })()""")
    check([c[1:] for c in seen[0]] == seen[1][-1:] + seen[1][:-1] and len(set(seen[1])) == 4, f'the bar of classes has the colours of its legend: {seen[0]}, {seen[1]}')
    check(seen[1][:3] == ['#009e73', '#944da6', '#f2e040'], f'those that knng.heatmap has: {seen[1]}')
    check(seen[2] == 0, f'{seen[2]} of 20 rows have beside the clustergram another colour than on the map')
    apart = b.value("""(() => {
        const values = Array.from({ length: 201 }, (u, i) => scaleColour(i / 100 - 1));
        const all = page.groupList.map((g, place) => lookOf(place + 1).colour).concat(page.data.phenotypes.flatMap((by) => by.colours)).map(rgb);
        const far = (a, b) => Math.hypot(...a.map((v, c) => v - b[c]));
        return [all.length, Math.min(...all.flatMap((a, i) => [...values, ...all.slice(0, i)].map((b) => far(a, b))))];
    })()""")
    check(apart[0] == 10 and apart[1] > 25, f'no colour of groups and classes is like that of another, or of a value: {apart}')
    leaves, middle = {i + 1: [i + 1] for i in range(240)}, {row: place + 0.5 for place, row in enumerate(order)}
    for s, (one, two, _) in enumerate(steps):
        leaves[241 + s] = leaves[int(one)] + leaves[int(two)]
        middle[241 + s] = (middle[int(one)] + middle[int(two)]) / 2
    node = next(s for s in range(230, -1, -1) if 20 < len(leaves[241 + s]) < 100)
    x = box[0] + 4 + (1 - steps[node][2] / steps[-1][2]) * (l['tree'] - 4)
    y = box[1] + l['top'] + middle[241 + node] / 240 * (l['low'] - l['top'])
    b.mouse('Moved', x, y)
    b.until(f"document.getElementById('gram-tip').textContent === '{len(leaves[241 + node])} rows: click to select them'")
    inside, deep = 241 + node, steps[node][2] / steps[-1][2] - 12 / (l['tree'] - 4) + 3 / (l['tree'] - 4)
    while inside > 240 and steps[inside - 241][2] / steps[-1][2] > deep:
        inside = next(int(c) for c in steps[inside - 241][:2] if order[int(middle[241 + node])] in leaves[int(c)])
    found = b.value(f'page.gram.at({x - box[0] + 12}, {y - box[1]}).node')
    count = b.value(f'page.gram.trees[0].last[{found}] - page.gram.trees[0].first[{found}] + 1')
    check(count == len(leaves[inside]) < len(leaves[241 + node]), f'nearer the leaves a smaller branch: {count}, not {len(leaves[inside])}')
    b.click((x, y))
    b.until('page.selection.length > 0')
    check([i + 1 for i in b.value('page.selection')] == sorted(leaves[241 + node]), 'a click on a branch selects its rows')
    check(b.value('Array.from(page.map.selected).reduce((a, v) => a + v)') == len(leaves[241 + node]), 'on the map, too')
    seen = '(() => {{ const b = document.getElementById("{}").getBoundingClientRect(); return b.height > 0 && b.top >= 0 && b.top < innerHeight - 100; }})()'
    check(b.value(seen.format('selection-title')) and b.value(seen.format('gram')), 'what is selected stands beside it')
    b.value("document.getElementById('gram').focus()")
    b.key('b', 'b')
    parent = next(s for s in range(node, 239) if 241 + node in steps[s][:2])
    b.until(f'page.selection.length === {len(leaves[241 + parent])}')
    check([i + 1 for i in b.value('page.selection')] == sorted(leaves[241 + parent]), 'the key b takes the branch around it')
    b.value(f'select([{order[7] - 1}, {order[9] - 1}], null)')
    check(b.value('page.gram.marked') == [7, 9], 'what is selected elsewhere is marked')
    press(b, 'Go to selection')
    b.until('page.gram.axes[0].shown === 3 && !page.gram.waiting')
    check(b.value('page.gram.names.map((n) => n.place)') == [7, 8, 9], 'and can be gone to, where all have names')
    at = box[0] + (l['left'] + l['right']) / 2, box[1] + l['top'] + 0.5 * (b.value('page.gram.layOut().low') - l['top'])
    b.mouse('Moved', *at)
    b.until(f"document.getElementById('gram-tip').textContent.startsWith({json.dumps(right['names'][order[8] - 1])})")
    check(b.value('page.hovered') == order[8] - 1, 'the row below the mouse is marked on the map')
    b.click(at)
    b.until(f"location.hash === '#/g/{order[8]}' && page.chosen === {order[8] - 1}")
    check(b.value(seen.format('gene-title')) and b.value(seen.format('gram')), 'the row that is opened stands beside it')
    press(b, 'The whole clustergram')
    b.mouse('Moved', 5, 5)
    still = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({}))))"
    pixels = "[page.map, page.gram].map((p) => p.canvas.toDataURL())"
    before = b.value(still.format(pixels))
    b.value("window.drawn = 0, [page.map, page.gram].forEach((p) => { const all = p.drawAll; p.drawAll = (...a) => { window.drawn++; all.apply(p, a); }; })")
    for where in (at, (box[0] + 20, at[1])):
        b.mouse('Moved', *where)
        other = b.value(still.format(pixels))
        check(other[1] != before[1] and (where != at or other[0] != before[0]), 'what is below the mouse is marked')
    b.mouse('Moved', 5, 5)
    check(b.value(still.format(pixels)) == before and b.value('window.drawn') == 0, 'and the rest is not drawn again')
    svg = xml.etree.ElementTree.fromstring(saved(b, 'clustergram.svg', 'Clustergram as SVG'))
    cells = cells_of(svg)
    colours = b.value(f'{json.dumps(right["Z"])}.map((row) => row.map((v) => scaleColour(v === null ? NaN : v / 2.5)))')
    wrong = sum(any(abs(part - int(cells[s, p][2 * i + 1:2 * i + 3], 16)) > 3 for i, part in enumerate(colours[row - 1][sample - 1]))
                for p, row in enumerate(order) for s, sample in enumerate(samples))
    check(len(cells) == 24 * 240 and wrong == 0, f'{wrong} of {len(cells)} cells of its SVG have other colours')
    check({'class', '−2.5', '2.5 SD'} <= {e.text for e in svg.iter()}, 'its SVG has names and a scale')
    check(b.value("document.getElementById('gram-scale').textContent") == '−2.52.5 SD', 'it has a scale')
    b.value("document.activeElement.blur(), document.getElementById('gram-part').scrollIntoView()")
    b.wheel(*at, -100)
    b.until("document.getElementById('gram-part').getBoundingClientRect().top > 100")
    check(b.value('page.gram.axes.map((a) => a.shown)') == [240, 24], 'the wheel moves the page')
    b.value("document.getElementById('gram-part').scrollIntoView()")
    b.value("document.getElementById('gram').focus()")
    b.wheel(*at, -700)
    b.until('page.gram.axes[0].shown < 120 && page.gram.axes[1].shown === 24')
    b.wheel(at[0], box[1] + 20, -700)
    b.until('page.gram.axes[1].shown < 12')
    check(True, 'the wheel zooms rows, above the cells samples')
    names = b.value('page.gram.names.length')
    check(names > 0.7 * min(b.value('page.gram.axes[0].shown'), b.value('Math.floor(page.gram.axes[0].room / LINE)')), f'{names} names where rows are near')
    check(b.value('standardize(new Float64Array(38).fill(0.1)).every((v) => v === 0)'), 'a constant row is 0')
    check(b.value('standardize([1e300, -1e300, 0])[0] === 1'), 'and a large one has standard deviations')
    lines = list(csv.reader(saved(b, 'clustergram.csv', 'Values of the clustergram as CSV').decode().splitlines()))
    check([line[0].lstrip("'") for line in lines[1:]] == [right['names'][r - 1] for r in order] and lines[0][1:] == [f's{j}' for j in samples], 'its CSV')
    check(saved(b, 'clustergram.png', 'Clustergram as PNG')[:4] == b'\x89PNG', 'its PNG')
    b.size(1200, 700)
    b.value("scrollTo(0, 1e6), select([1, 2], null)")
    under = b.value("document.getElementById('selection-title').getBoundingClientRect().top - document.querySelector('header').offsetHeight")
    check(0 <= under < 200, f'at the end of the page answers are not below its head: {under}')
    b.size(1200, 1000)
    quiet(b, 'clustergram')
    b.open(page('odd-points'))
    x, y = b.place('#gram')
    row = b.value('page.data.gram.rows[Math.floor(page.gram.axes[0].place(document.getElementById("gram").clientHeight / 2 - page.gram.layOut().top))]')
    b.click((x, y))
    b.until(f'page.selection.length === page.gram.members[{row}].length')
    off = b.value('''Math.max(...page.gram.members.flatMap((rows, g) => Array.from(page.data.gram.means[g - 1], (v, j) =>
        Math.abs(v - rows.reduce((sum, i) => sum + standardize(valuesOf(page.data, i))[j], 0) / rows.length))))''')
    check(off < 1e-12, f'the means of groups are off by {off}')
    quiet(b, 'the clustergram of groups')


def named(svg, kind):
    """The words of a drawing of one kind."""
    return [e.text or '' for e in svg.iter() if e.get('class') == kind]


def cells_of(svg):
    """The colour of each cell, (x, y), of the SVG of a heat map; a cell that is there twice fails."""
    cells = {}
    group = next(e for e in svg.iter() if e.get('class') == 'cells')
    for path in group:
        parts = re.findall(r'M(\d+) (\d+)h(\d+)v1H(\d+)z', path.get('d'))
        if ''.join('M%s %sh%sv1H%sz' % p for p in parts) != path.get('d'):
            raise Failure('a path of other parts: ' + path.get('d')[:60])
        for x, y, run, back in (map(int, p) for p in parts):
            for c in range(x, x + run):
                if back != x or (c, y) in cells:
                    raise Failure(f'the cell {c}, {y}')
                cells[c, y] = path.get('fill')
    return cells


def heat_drawing(b, right, kinds):
    """The SVG of the heat map: read back, it has the pixels of the canvas, and the values of X by the names beside it."""
    svg = xml.etree.ElementTree.fromstring(saved(b, 'heatmap.svg', 'Heat map as SVG'))
    cells = cells_of(svg)
    seen = b.value("""(() => {
        const c = document.querySelector('#heat canvas');
        const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        return [c.width, c.height, Array.from({ length: c.width * c.height }, (u, i) => hex([p[4 * i], p[4 * i + 1], p[4 * i + 2]]))];
    })()""")
    wide, high, colours = seen
    check(cells == {(i % wide, i // wide): c for i, c in enumerate(colours)}, 'the SVG of the heat map has the cells that are seen')
    label = {(right['labels'][i] or right['names'][i]): i for i in range(240)}
    rows, samples = [label[r] for r in named(svg, 'row')], [int(w[1:]) - 1 for w in named(svg, 'sample')]
    check(len(rows) == high - 2 and sorted(samples) == list(range(24)), f'the names beside it: {len(rows)}, {len(samples)}')
    off = 0
    for y, i in enumerate(rows):
        x = right['X'][i]
        mean = sum(x) / 24
        spread = math.sqrt(sum((v - mean) ** 2 for v in x) / 23)
        for c, j in enumerate(samples):
            z = max(-1, min(1, (x[j] - mean) / spread / 2.5))
            want = [m + abs(z) * (e - m) for m, e in zip((170, 170, 170), (20, 90, 170) if z < 0 else (213, 94, 0))]
            off = max(off, *(abs(w - int(cells[c, y + 2][k:k + 2], 16)) for w, k in zip(want, (1, 3, 5))))
    check(off < 2, f'its colours are those of the values, to {off} of 255')
    said = named(svg, 'legend')
    check(said[:len(kinds)] == kinds and said[-1] == 'missing', f'what its colours mean: {said}')
    fills = {e.get('fill') for e in svg.iter() if e.tag.endswith('rect')}
    check({cells[c, 0] for c in range(wide)} <= fills or 'none' in kinds, 'the colours of the classes are explained')
    return svg


def classes_of_profile(b):
    """The classes that the samples of a profile stand by can be chosen."""
    right = facts('main')
    b.open(page('main'), '#/g/17')
    b.until("document.querySelector('#profile svg')")
    check(texts(b, '#profile-by option') == ['class', 'years', 'sex', 'nothing'], f"classes to choose from: {texts(b, '#profile-by option')}")
    bands = "Array.from(document.querySelectorAll('#profile svg text'), (t) => t.textContent).filter((t) => /[A-Za-z]/.test(t))"
    check(b.value(bands) == ['ALL', 'AML', 'CML', 'no…'], f'the classes of the profile: {b.value(bands)}')
    line = "Array.from(document.querySelectorAll('#profile svg path')).pop().getAttribute('d')"
    before = b.value(line)
    choose(b, '#profile-by', '3')
    b.until("document.querySelector('#profile h3').textContent === 'Over the samples, by sex'")
    check(b.value(bands) == ['female', 'male'], f'other classes: {b.value(bands)}')
    b.until("document.activeElement.id === 'profile-by'")     # when all that shows the classes is drawn
    check(True, 'the choice keeps the focus')
    heights = [float(y) for y in re.findall(r'[ML][\d.]+ ([\d.]+)', b.value(line))]
    x, sex = right['X'][16], right['sex']
    order = sorted(range(24), key=lambda j: (sex[j], x[j]))
    check(len(heights) == 24 and all((heights[p] >= heights[q]) for p, q in zip(range(24), range(1, 24)) if sex[order[p]] == sex[order[q]]) and
          b.value(line) != before, 'the row rises within each class')
    go(b, '#/g/20')
    b.until("document.querySelector('#profile h3')")
    check(b.value(bands) == ['female', 'male'], 'they stay for the next row')
    choose(b, '#profile-by', '2')
    b.until("document.querySelector('#profile h3').textContent === 'Over the samples, by years'")
    heights = [float(y) for y in re.findall(r'[ML][\d.]+ ([\d.]+)', b.value(line))]
    x, years = right['X'][19], right['years']
    order = sorted(range(24), key=lambda j: (math.inf if years[j] is None else years[j]))
    upwards = [(x[p] < x[q]) == (heights[i] > heights[i + 1]) for i, (p, q) in enumerate(zip(order, order[1:])) if x[p] != x[q]]
    check(len(upwards) > 20 and all(upwards), 'samples stand by their years, the one without last')
    known = [y for y in years if y is not None]
    words = b.value("Array.from(document.querySelectorAll('#profile svg text'), (t) => t.textContent)")[-2:]
    check(near(words[0], min(known), 4) and near(words[1], max(known), 4), f'the least and the most years: {words}')
    fills = b.value("Array.from(document.querySelectorAll('#profile svg rect'), (r) => r.getAttribute('fill'))")
    check(fills[0] == '#faf2e0' and fills[-2:] == ['#541a6b', '#a8a8a8'], f'their colours rise: {fills}')
    choose(b, '#profile-by', '0')
    b.until("document.querySelector('#profile h3').textContent === 'Over the samples'")
    check(b.value(bands) == [] and b.value("document.querySelectorAll('#profile svg rect').length") == 0, 'no classes')
    b.open(page('gaps'), '#/g/1')
    b.until("document.querySelector('#profile svg')")
    check(not texts(b, '#profile-by'), 'nothing to choose where there are none')
    quiet(b, 'classes of a profile')


def groups_and_phenotypes(b):
    """Sizes of groups, edges inside, the rows that go with a phenotype."""
    right = facts('main')
    b.open(page('main'))
    rows = group_table(b)
    sizes = {g: right['groups'].count(g) for g in set(right['groups']) if g}
    check({r[1]: int(r[2]) for r in rows} == sizes, 'sizes of groups')
    for r in rows:
        inside = edges = 0
        for i, near_ones in enumerate(right['idx']):
            if right['groups'][i] == r[1]:
                edges += sum(j > 0 for j in near_ones)
                inside += sum(j > 0 and right['groups'][j - 1] == r[1] for j in near_ones)
        check(r[4] == f'{100 * inside / edges:.0f} %', f'edges inside {r[1]}: {r[4]}')
        g = right['group_names'].index(r[1])
        check(abs(float(r[3]) - right['tight'][g]) < 5.1e-4, f"tightness of {r[1]}: {r[3]}, not {right['tight'][g]}")
        check(r[5] == ', '.join(right['labels'][i - 1] or right['names'][i - 1] for i in right['central'][g]), f"nearest the centre of {r[1]}: {r[5]}")
    check('Tightness: the mean r of its rows with its centre, which is the mean of its standardized rows; the nearer 1, the tighter.' in
          text(b, '#groups'), 'the page says what tightness is')
    check(b.value("document.querySelector('#groups th:nth-child(4)').title").startswith('the mean r of its rows'), 'so does the title')
    press(b, 'Select group alpha')
    check(b.value('page.selection.length') == sizes['alpha'], 'a group can be selected')

    def order_of(p):
        return sorted((v, i) for i, v in enumerate(p) if v is not None)

    going = "Array.from(document.querySelectorAll('#going-with tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))"
    b.until("document.querySelector('#going-with tbody tr')")
    shown = b.value(going)
    best = order_of(right['class_p'])
    check([r[1] for r in shown[:10]] == [right['names'][i] for _, i in best[:10]], 'the rows that go with the classes')
    check(all(near(r[5], v, 3) for r, (v, _) in zip(shown, best)), 'their p-values')
    choose(b, '#phenotypes select', '2')
    b.until("document.querySelector('#going-with th:nth-child(4)').textContent === 'r'")
    shown = b.value(going)
    best = order_of(right['years_p'])
    tests = len(best)
    least, rates = 1, []
    for rank in range(tests, 0, -1):
        least = min(least, best[rank - 1][0] * tests / rank)
        rates.insert(0, least)
    check(all(r[1] == right['names'][i] and near(r[4], v, 3) and near(r[5], q, 3) and abs(float(r[3]) - right['years_r'][i]) < 5.1e-5
              for r, (v, i), q in zip(shown, best, rates)), 'the rows that go with years')
    quiet(b, 'groups')


def hostile(b):
    """Names that would be code: nothing runs, nothing is asked for, all is shown."""
    b.open(page('hostile'), '#/g/1')
    for i in range(facts('hostile')['n']):
        go(b, f'#/g/{i + 1}')
        b.until("document.querySelector('#profile svg')")
    b.value("select(Array.from({ length: page.data.n }, (u, i) => i), null)")
    press(b, 'Heat map')
    b.until("document.querySelector('#heat canvas')")
    for word in ('<script>', 'twice', '__proto__', 'img', 'xxxxxxxx'):
        b.value(f"document.getElementById('search').value = {json.dumps(word)}, document.getElementById('search').dispatchEvent(new Event('input'))")
    for colour in b.value("Array.from(document.querySelectorAll('#colour option'), (o) => o.value)"):
        b.value(f"page.colouring = '{colour}', recolour()")
    b.value('showGroups(Infinity)')
    for number in range(1, b.value('page.data.phenotypes.length') + 1):
        b.value(f'showPhenotype({number})')
        b.value(f'page.by = {number}, Promise.all([showProfile(page.chosen), showHeat()])')
    go(b, '#/p/1/5')
    settle(b)
    check(b.value('window.ran') is None, 'code in a name ran')
    check(b.value("document.querySelectorAll('img, iframe, object, b').length") == 0, 'a name became markup')
    check(b.value("document.querySelectorAll('script:not([type])').length") == 1, 'a name became a script')
    check(b.value("nameOf(page.data, 0)") == '<script>window.ran = 1</script>', 'a name is shown as it is')
    check(b.value("nameOf(page.data, 10)") == '11' and b.value("nameOf(page.data, 12)") == 'twice', 'empty names and equal ones')
    check(b.value("nameOf(page.data, 13).length") == 10000, 'a long name')
    check(b.value('document.documentElement.scrollWidth <= window.innerWidth'), 'a long name makes the page wide')
    for name, button in (('map.svg', 'SVG'), ('heatmap.svg', 'Heat map as SVG'), ('profile.svg', 'Profile as SVG')):
        svg = xml.etree.ElementTree.fromstring(saved(b, name, button))
        check({e.tag.split('}')[1] for e in svg.iter()} <= {'svg', 'g', 'rect', 'circle', 'polygon', 'polyline', 'path', 'text', 'title'} and
              not any(k.startswith('on') or 'href' in k for e in svg.iter() for k in e.keys()), f'{name} of such names')
    lines = list(csv.reader(io.StringIO(saved(b, 'selection.csv', 'Selection as CSV').decode(), newline='')))
    check(len(lines) == 1 + facts('hostile')['n'] and lines[25][1].startswith("'="), 'the CSV of such names')
    starts = '=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'
    line = next(csv.reader(io.StringIO(b.value(f"csvLine([...{json.dumps(starts)}, 'a=', -1.5, NaN])"), newline='')))
    check(line == ["'" + c for c in starts] + ['a=', '-1.5', ''], f'what a spreadsheet would take for a formula: {line}')
    quiet(b, 'hostile names')


def planted(b):
    """Were names made markup, and had the page no policy, the test above would see it."""
    html = page('hostile').read_text(errors='surrogateescape')
    html = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', '', html)
    before = 'element.append(...inside.map((part) => part instanceof Node ? part : String(part)));'
    check(before in html, 'where texts reach the page')
    html = html.replace('await checkShell();', '')
    page('planted').write_text(html.replace(before, "inside.forEach((part) => part instanceof Node ? element.append(part) : element.insertAdjacentHTML('beforeend', part));"), errors='surrogateescape')
    b.open(page('planted'), '#/g/3', ready="document.querySelector('img')")
    b.until('window.ran === 1')
    check(len(b.requests) > 1, 'the planted request is seen')


def odd(b):
    """Small and strange ones open, light and dark, with nothing in the console and no dead part."""
    for path in sorted(FOLDER.glob('odd-*.html')):
        b.dark(path.name < 'odd-p')
        b.open(path, '#/g/1')
        name = path.stem
        quiet(b, name)
        check(not b.value("document.getElementById('all').hidden"), f'{name} opens')
        shown = {part: not b.value(f"document.getElementById('{part}-part').hidden") for part in ('map', 'groups', 'phenotypes', 'gram')}
        data = b.value('({ map: !!page.data.xy, groups: !!page.data.group, phenotypes: page.data.phenotypes.length > 0, gram: !!page.data.gram, values: !!page.data.values })')
        check(all(shown[p] == data[p] for p in shown), f'{name}: parts {shown}')
        b.value('select([0], null)')
        check(('Heat map' in texts(b, '#selection button')) == data['values'], f'{name}: a heat map where there are values')
        if data['values']:
            press(b, 'Heat map')
            b.until("document.querySelector('#heat canvas')")
            xml.etree.ElementTree.fromstring(saved(b, 'heatmap.svg', 'Heat map as SVG'))
        if data['gram']:
            b.value('page.gram.draw()')
        if data['map']:
            b.value("(async () => { for (const c of document.querySelectorAll('#colour option')) { page.colouring = c.value; await recolour(); } })()")
            b.value('page.map.draw()')
        settle(b)
        check(not b.console, f'{name}: {b.console}')
    b.open(page('odd-60-groups'))
    check(len(texts(b, '#groups tbody tr')) == 40, 'of 60 groups 40 are listed')
    press(b, 'Show all 60')
    check(len(texts(b, '#groups tbody tr')) == 60, 'and then all')
    data = b.value('({ group: Array.from(page.data.group), idx: Array.from(page.data.idx), dist: Array.from(page.data.dist), from: Array.from(page.data.from) })')
    for row in group_table(b)[:9]:
        inside = [d for i, j, d in zip(data['from'], data['idx'], data['dist']) if data['group'][i] == data['group'][j] == int(row[1]) + 1]
        check((row[3] == '') if not inside else near(row[3], sum(inside) / len(inside), 4), f'groups without a metric, {row}')
    check('Mean distance inside: of the edges inside; the smaller, the closer. Most listed inside:' in text(b, '#groups'), 'which is said')
    check('ightness' not in text(b, '#groups'), 'tightness is something else')
    b.dark(False)


FRAME = """(() => {
    const of = (e) => e.nodeName + Array.from(e.attributes, (a) => `[${a.name}=${a.value}]`).join('') +
        (['TITLE', 'SCRIPT'].includes(e.nodeName) ? e.textContent : '{' + Array.from(e.children, of).join() + '}');
    const whole = new DOMParser().parseFromString(new TextDecoder().decode(Uint8Array.from(atob('@'), (c) => c.charCodeAt(0))), 'text/html');
    return of(whole.documentElement);
})()"""


def outcome(b, changed):
    """What becomes of the bytes of a page: 'told' that it is damaged, in the first lines that are seen, or 'shown'."""
    page('damaged').write_bytes(changed)
    b.open(page('damaged'), ready="document.readyState === 'complete' && (document.documentElement.dataset.ready || typeof Damage === 'undefined' ||"
           "document.getElementById('status')?.textContent.startsWith('This '))")
    seen = b.value("""(() => {
        const all = document.getElementById('all');
        const line = Array.from(document.querySelectorAll('body, body *')).find((e) => /file is damaged/.test(Array.from(e.childNodes, (n) => n.nodeType === 3 ? n.data : '').join('')));
        const box = line?.getBoundingClientRect();
        return [Boolean(all && !all.hidden), Boolean(box && box.height > 0 && box.top >= 0 && box.top < 300)];
    })()""")
    return {(True, False): 'shown', (False, True): 'told'}.get(tuple(seen), f'neither: {seen}')


def frame(b, text):
    """A page as a browser reads it, but for its blocks and its script."""
    return b.value(FRAME.replace('@', base64.b64encode(text).decode()))


def changed(text, at, chance):
    """The bytes with another one at a place: of those that mean something in markup, or any letter."""
    other = text[at:at + 1]
    while other == text[at:at + 1]:
        other = bytes([chance.choice(b'<>/"!- =&ABCXYZabcxyz0123456789+')])
    return text[:at] + other + text[at + 1:]


def damaged(b):
    """A changed character: a plain message, and nothing else. In blocks, somewhere, at their beginning and end; in the script;
    and where markup begins and ends. With --deep in every block, and at every place of the lines around them."""
    whole = page('main').read_bytes()
    chance = random.Random(1)
    blocks = [m for m in re.finditer(rb'id="data-([a-z0-9]+)">([^<]*)</script>', whole)]
    check(len(blocks) > 15 and {b'shell', b'body', b'style'} < {m[1] for m in blocks}, f'the page has {len(blocks)} blocks')
    check(outcome(b, whole) == 'shown', 'the whole page is shown')
    for m in blocks if DEEP else [m for m in blocks if m[1] in (b'shell', b'body', b'style', b'meta', b'dist', b'values1', b'top1')]:
        said = outcome(b, changed(whole, m.start(2) + chance.randrange(len(m[2])), chance))
        check(said == 'told', f'damage in {m[1].decode()}: {said}')
    whole = page('odd-graph').read_bytes()
    script = re.search(rb'<script>(.*)</script>', whole, re.S)
    blocks = [m for m in re.finditer(rb'id="data-([a-z0-9]+)">([^<]*)</script>', whole)]
    places = [m.end(2) - k for m in blocks[:3] for k in (1, 2, 3)] + [blocks[1].start(2) + k for k in range(0, 14, 1 if DEEP else 4)]
    places += [chance.randrange(script.start(1), script.end(1)) for _ in range(20 if DEEP else 2)]
    for at in places:
        said = outcome(b, changed(whole, at, chance))
        check(said == 'told', f'damage at {at}, {whole[at - 9:at + 9]}: {said}')
    carried = [range(*m.span(2)) for m in blocks] + [range(*script.span(1))]
    around = [at for at in range(len(whole) - 1) if not any(at in r for r in carried)]
    if not DEEP:
        around = [at for at in around if whole[at:at + 1] in b'</' and at < blocks[0].end()] + list(range(script.end(1), len(whole) - 1, 2))
    silent = 0
    right = frame(b, whole)
    for at in around:
        text = changed(whole, at, chance)
        said = outcome(b, text)
        silent += said == 'shown'
        check(said == 'told' or (said == 'shown' and frame(b, text) == right), f'damage at {at}, {text[at - 9:at + 9]}: {said}')
    check(silent < len(around) / 8, f'{silent} of {len(around)} changed characters make no other page')


def policy(b):
    """The page may ask for nothing: whatever is tried, the policy stops it, and nobody is asked."""
    with socket.create_server(('127.0.0.1', 0)) as server:
        stops(b, server, f'127.0.0.1:{server.getsockname()[1]}')


def asked(server, seconds):
    """Whether somebody has said something to the server. For a frame or a form Chromium connects before it looks at the
    policy, and then says nothing."""
    while select.select([server], [], [], seconds)[0]:
        with server.accept()[0] as one:
            one.settimeout(seconds)
            try:
                if one.recv(1):
                    return True
            except TimeoutError:
                pass
    return False


def stops(b, server, at):
    b.open(page('main'))
    tries = {
        'fetch': "fetch('http://HOST/x')",
        'image': "new Promise((d) => { const i = new Image(); i.onerror = d; i.src = 'http://HOST/x.png'; })",
        'script': "document.head.append(Object.assign(document.createElement('script'), { src: 'http://HOST/x.js' }))",
        'inline': "document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 2' }))",
        'handler': "document.body.insertAdjacentHTML('beforeend', '<p id=h onclick=\"window.ran = 3\">h</p>'), document.getElementById('h').click()",
        'style': "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'http://HOST/x.css' }))",
        'frame': "document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://HOST/' }))",
        'socket': "new WebSocket('ws://HOST/')",
        'beacon': "navigator.sendBeacon('http://HOST/', 'x')",
        'form': "document.body.append(Object.assign(document.createElement('form'), { id: 'f', action: 'http://HOST/f' })), document.getElementById('f').submit()",
        'background': "document.body.style.backgroundImage = 'url(http://HOST/b.png)', getComputedStyle(document.body).backgroundImage, new Promise((d) => setTimeout(d, 30))",
        'font': "new FontFace('f', 'url(http://HOST/f.woff)').load()",
        'object': "document.body.append(Object.assign(document.createElement('object'), { data: 'http://HOST/o' }))",
        'media': "new Audio('http://HOST/a.ogg').load()",
        'prefetch': "document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: 'http://HOST/p' }))",
        'request': "(() => { const r = new XMLHttpRequest(); r.open('GET', 'http://HOST/r'); r.send(); })()",
        'events': "new EventSource('http://HOST/e')",
        'style block': "document.head.append(Object.assign(document.createElement('style'), { textContent: '@import url(http://HOST/i.css)' }))",
        'base': "document.head.append(Object.assign(document.createElement('base'), { href: 'http://HOST/' }))",
        'eval': "new Function('window.ran = 4')()",
        'worker': "new Worker(URL.createObjectURL(new Blob(['1'])))",
    }
    if FIREFOX:
        del tries['eval']                                     # what is evaluated here has leave to do so there
    b.value("window.stopped = [], document.addEventListener('securitypolicyviolation', (e) => window.stopped.push(e.effectiveDirective))")
    for name, code in tries.items():
        before = b.value('window.stopped.length')
        try:
            b.value(f"(async () => {{ try {{ await Promise.race([{code.replace('HOST', at)}, new Promise((d) => setTimeout(d, 40))]); }} catch (error) {{ }} }})()")
        except Failure:
            pass
        if FIREFOX:                                           # which does not tell the page of all
            continue
        try:
            b.until(f'window.stopped.length > {before}')
            check(True, name)
        except Failure:
            check(False, f'the policy does not stop: {name}')
    check(b.value('window.ran') is None, f"code ran: {b.value('window.ran')}")
    settle(b)
    check(not asked(server, 0.3), 'somebody was asked')
    html = page('main').read_text().replace('await checkShell();', '')
    page('unguarded').write_text(re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', '', html))
    b.open(page('unguarded'))
    b.value(f"fetch('http://{at}/x').catch(() => 0), 0")
    check(asked(server, 60), 'without a policy somebody is asked')


# Of each table that is wider than its box, when it has been scrolled to its end: what it is, whether the names are at the
# left, whether they take at most half of the box, and whether the last column is whole beside them.
TABLES_AT_THEIR_END = """Array.from(document.querySelectorAll('.scroll'), (box) => {
    box.scrollLeft = box.scrollWidth;
    const [all, row] = [box.getBoundingClientRect(), box.querySelector('tbody tr')];
    const [name, last] = [row.querySelector('td.pin').getBoundingClientRect(), row.lastElementChild.getBoundingClientRect()];
    return [box.getAttribute('aria-label') + (box.scrollLeft > 0 ? ' (wider)' : ''), Math.abs(name.left - all.left) < 1 || box.scrollLeft === 0,
            name.width <= all.width / 2, last.right <= all.right + 1 && last.left >= name.right - 1];
})"""


def phone(b):
    """390 pixels: nothing is wider, fingers choose and zoom; large enough for them."""
    b.size(390, 844, touch=True, scale=2)
    b.open(page('main'), '#/g/17')
    check(b.value('document.documentElement.scrollWidth') <= 390, 'the page is wider than a phone')
    x, y = b.place('#map')
    scale = b.value('page.map.scale')
    b.touch('Start', [(x - 20, y), (x + 20, y)])
    for step in range(1, 6):
        b.touch('Move', [(x - 20 - 10 * step, y), (x + 20 + 10 * step, y)])
    b.touch('End', [])
    b.until(f'page.map.scale > 1.5 * {scale}')
    check(True, 'two fingers zoom')
    b.value('page.map.fit()')
    row = 49
    at = b.value(f"(() => {{ const r = document.getElementById('map').getBoundingClientRect(); return [r.left + 1 + page.map.xOf({row}), r.top + 1 + page.map.yOf({row})]; }})()")
    want = b.value(f'page.map.at(page.map.xOf({row}), page.map.yOf({row})) + 1')
    b.touch('Start', [at])
    b.touch('End', [])
    b.until(f"location.hash === '#/g/{want}' && page.chosen === {want} - 1")
    check(True, 'a finger chooses a point')
    b.value('select([1, 2, 3], null)')
    press(b, 'Heat map')
    b.until("document.querySelector('#heat canvas')")
    check(b.value('document.documentElement.scrollWidth') <= 390, 'pictures make the page wider than a phone')
    for caption, first, shown, last in b.value(TABLES_AT_THEIR_END):
        check(first and shown and last, f'{caption}: the name stays ({first}), takes at most half ({shown}), and the last column can be seen ({last})')
    quiet(b, 'phone')
    b.size(1200, 900)


def long_names(b):
    """Names that are the same at their beginning differ where they are cut, wherever they stand; noise has a place in the legend; commas stay with names."""
    b.open(page('long'))
    one = "the one that is as long as this, {} it has to be cut"
    for made, most, right in (
            (['short', one.format(1), one.format(2), 'quite another one, as long'], 16, ['short', 'the …1 it has t…', 'the …2 it has t…', 'quite another o…']),
            (['gene with a long name 3', 'gene with a long name 13'], 8, ['gene…e 3', 'gene… 13']),
            (['sample number 3 of the trial', 'sample number 13 of the trial'], 9, ['sa…3 of …', 'sa…13 of…']),
            (['\U0001d6fc' * 9 + 'x', '\U0001d6fc' * 9 + 'y'], 4, ['\U0001d6fc' * 2 + '…x', '\U0001d6fc' * 2 + '…y']),
            ([('x' * 20).join(['', *ends, '']) for ends in ('11', '12', '21', '11')], 12, ['xxxxxxxx…(1)', 'xxxxxxxx…(2)', 'xxx…xxxx2xx…', 'xxxxxxxx…(1)']),
            ([a + 'same word ' * 9 + i + 'at the end of all' for a in ('ab1', 'ab2') for i in '34'], 9, None)):
        got = b.value(f'((t) => t.map((u, i) => shortOf(t, i, {most})))({json.dumps(made)})')
        check(right is None or got == right, f'cut: {got}')
        check(len(set(got)) == len(set(made)) and all(len(g) <= most for g in got), f'cut apart: {got}')
    for wide, high, touch in ((1400, 900, False), (390, 780, True)):
        b.size(wide, high, touch=touch)
        b.open(page('long'))
        drawn = b.value("""(() => {
            const said = [], context = page.gram.canvas.getContext('2d');
            context.fillText = (text) => said.push(text);
            page.gram.draw();
            delete context.fillText;
            page.map.titles = [], page.map.byHub = page.data.byHub, page.map.draw();
            return [said, page.map.named.map((n) => n.text)];
        })()""")
        check(len(drawn[0]) > 38 and len(set(drawn[0])) == len(drawn[0]), f'{wide}: names of the clustergram: {drawn[0]}')
        check(len(drawn[1]) > 3 and len(set(drawn[1])) == len(drawn[1]), f'{wide}: names on the map: {drawn[1]}')
        said = texts(b, '#gram-legend .legend span')
        check(len(said) == 3 and len(set(said)) == 3, f'{wide}: classes: {said}')
        check(texts(b, '#legend span')[1:] == ['1 (9)', '2 (9)', '3 (9)', 'none (1)', 'noise (2)'], f"{wide}: the legend: {texts(b, '#legend span')}")
        check(text(b, '#no-group') == 'In no group: 2 rows of noise and 1 other, grey on the map.', f"{wide}: {text(b, '#no-group')}")
        lines = b.value("""Array.from(document.querySelectorAll('#groups td:nth-child(6)'), (cell) => {
            const box = cell.getBoundingClientRect();
            return [box.width, Array.from(cell.firstChild.children, (item) => [item.getBoundingClientRect().height, item.textContent])];
        })""")
        check(len(lines) == 3 and all(w >= 140 and len(items) == 3 for w, items in lines), f'{wide}: columns of names: {lines}')
        check(all([t[-1] == ',' for _, t in items] == [True, True, False] for _, items in lines), f'{wide}: commas: {lines}')
    b.size(1200, 900)
    quiet(b, 'long names')


def names_for_all(b):
    """Every control and picture has a name for those who do not see it."""
    b.open(page('main'), '#/p/17/30')
    b.value('select([1, 2, 3], null)')
    press(b, 'Heat map')
    b.until("document.querySelector('#heat canvas')")
    roles = {'button', 'link', 'textbox', 'combobox', 'img', 'image', 'listbox', 'table', 'region', 'Canvas', 'dialog', 'heading'}
    found = b.accessible()
    if found is not None:
        found = [(role, name) for role, name in found if role in roles]
        check(len(found) > 60 and all(name for _, name in found), f'without a name: {[r for r, name in found if not name]} of {len(found)}')
    contrast = """(() => {
        const light = (c) => { const [r, g, b] = c.match(/\\d+/g).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const on = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
        const bad = [];
        for (const e of document.querySelectorAll('p, a, td, th, button, h1, h2, h3, label, select, input')) {
            const [a, b] = [light(getComputedStyle(e).color), light(on(e))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) bad.push(e.tagName + ' ' + ratio.toFixed(1));
        }
        return bad;
    })()"""
    for theme in ('light', 'dark'):
        b.value(f"setTheme('{theme}')")
        bad = b.value(contrast)
        check(not bad, f'{theme}: too little contrast: {bad[:3]}')
    b.value("setTheme('light')")


def printed(b):
    """On paper: what is shown, black on white, whole and without controls, also where the screen is dark."""
    b.dark(True)
    b.open(page('main'), '#/g/17')
    b.until("document.querySelector('#profile svg')")
    b.value('select([1, 2, 3], null)')
    pixel = """(() => {
        const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        copy.drawImage(document.getElementById('map'), -1, -1);
        return Array.from(copy.getImageData(0, 0, 1, 1).data).slice(0, 3);
    })()"""
    b.value("page.map.draw()")
    dark = b.value(pixel)
    b.value("window.dispatchEvent(new Event('beforeprint'))")
    check(max(dark) < 100 and b.value(pixel) == [255, 255, 255], f'the map of a dark page is white on paper: {dark}, {b.value(pixel)}')
    if b.paper(True):
        seen = "Array.from(document.querySelectorAll('{}')).filter((e) => e.getClientRects().length > 0).length"
        b.value("document.documentElement.dataset.theme = 'dark'")
        check(b.value(seen.format('button, select, input, dialog, #map-keys')) == 0, 'no controls')
        check(b.value(seen.format('#gene tbody tr')) == 6 and b.value(seen.format('#map, #profile svg, #foot p, .cloud a, .on-paper')) > 8, 'all else is there')
        check(b.value("getComputedStyle(document.documentElement).backgroundColor") == 'rgb(255, 255, 255)' and
              b.value("getComputedStyle(document.querySelector('#gene td a')).color") == 'rgb(0, 0, 0)', 'black on white')
        check(b.value("Array.from(document.querySelectorAll('.scroll')).every((e) => getComputedStyle(e).maxHeight === 'none')"), 'tables are whole')
        b.paper(False)
    b.value("window.dispatchEvent(new Event('afterprint'))")
    check(b.value('document.documentElement.dataset.theme') == 'dark', 'the screen is dark again')
    check(b.value("document.querySelector('.on-paper').getClientRects().length") == 0, 'what is for paper is not on the screen')
    quiet(b, 'paper')
    b.dark(False)


PARTS = [look_up, go_on, tables_are_right, gaps, ranks, alone, paths, lasso, the_map, pixels, values_and_heat, clustergram, classes_of_profile, groups_and_phenotypes,
         hostile, planted, odd, damaged, policy, phone, printed, long_names, names_for_all]


def main():
    octave(f"pages ('{FOLDER}')")
    (FOLDER / 'saved').mkdir()
    with (Firefox if FIREFOX else Browser)() as b:
        b.downloads(FOLDER / 'saved')
        b.size(1200, 900)
        for part in PARTS:
            if not ASKED or part.__name__ in ASKED:
                try:
                    part(b)
                except Exception:                             # noqa: BLE001
                    check(False, f'{part.__name__}: {traceback.format_exc()}  console {b.console}')


try:
    main()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
print(f'{passed} passed, {failed} failed')
sys.exit(failed > 0)
