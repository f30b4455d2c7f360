"""bench_explore.py [--check] PAGE  What a browser takes for a page of knng.explore; bench_explore.m calls it.

It prints for Chromium, and for Firefox where there is one, of the process that shows the page, so that it does not matter
what else the machine does: the processor time from the address until all of the page is there, and the memory that it has
then (proportional set size); the processor time of a search, as each name is put into the field, exact ones, beginnings, and
some with letters exchanged; that of a new drawing of the map, at several scales; that of the first row that is shown, with the
false discovery rates of all pairs. Each is the median of three openings; the largest of the searches is that of one kind. With --check the status is 1 where Chromium misses an aim: 1.5 s, 250 MB, 50 ms."""

import os
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[1] / 'tests' / 'browser'))
import browser  # noqa: E402
import firefox  # noqa: E402

TIMES = 10
WORDS = ('probe', 'probe12345_at', 'prboe12345_at', 'ABCD12', 'QWER', 'zzzzzzzzzz', 'probe4', 'k')
SEARCH = """(() => {
    const field = document.getElementById('search');
    for (let i = 0; i < TIMES; i++) {
        field.value = WORD;
        field.dispatchEvent(new Event('input'));
        document.getElementById('found').getBoundingClientRect();
    }
})()"""
DRAW = """(() => {
    const context = document.getElementById('map').getContext('2d');
    for (let i = 0; i < TIMES; i++) {
        page.map.zoom(i < TIMES / 2 ? 1.3 : 1 / 1.3);
        page.map.draw();
        context.getImageData(0, 0, 1, 1);
    }
})()"""


def children(pid):
    """A process and all that it has started."""
    found = [pid]
    for one in found:
        for task in pathlib.Path(f'/proc/{one}/task').glob('*/children'):
            found += [int(p) for p in task.read_text().split()]
    return found


def seconds(pid):
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def megabytes(pid):
    return int(re.search(r'^Pss:\s+(\d+)', pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text(), re.M)[1]) / 1e3


def opened(kind, path):
    """[seconds, MB, ms of a search, ms of the slowest kind of search, ms of a drawing, seconds of the first row]."""
    with kind() as b:
        b.size(1200, 900)
        b.open('/dev/null', ready='true')                     # the process is there
        before = {p: seconds(p) for p in children(b.process.pid)}
        b.open(path)
        took = {p: seconds(p) - before.get(p, 0) for p in children(b.process.pid) if p != b.process.pid}
        shows = max(took, key=took.get)
        memory = megabytes(shows)

        def spent(code):
            begun = seconds(shows)
            b.value(code.replace('TIMES', str(TIMES)))
            return 1e3 * (seconds(shows) - begun) / TIMES
        search = [spent(SEARCH.replace('WORD', repr(word))) for word in WORDS]
        draw = spent(DRAW)
        begun = seconds(shows)
        b.value("location.hash = '#/g/1'")
        b.until('page.rate')
        return took[shows], memory, statistics.mean(search), max(search), draw, seconds(shows) - begun


def main():
    arguments = [a for a in sys.argv[1:] if a != '--check']
    late = False
    for kind, found in ((browser.Browser, browser.program()), (firefox.Firefox, firefox.program())):
        if not found:
            continue
        runs = [opened(kind, arguments[0]) for _ in range(3)]
        time, memory, search, slowest, draw, rates = (statistics.median(r) for r in zip(*runs))
        print(f'{pathlib.Path(found).name}: opened in {time:.2f} s of processor time, {memory:.0f} MB; a search {search:.0f} ms, '
              f'the slowest {slowest:.0f}; the map {draw:.0f} ms; the first row {rates:.2f} s', flush=True)
        late |= kind is browser.Browser and (time > 1.5 or memory > 250 or slowest > 50 or draw > 50)
    return late and '--check' in sys.argv


sys.exit(main())
