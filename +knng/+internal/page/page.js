// page.js  What happens on a click, a key, a finger or a new address, and how the page begins. The address says what is
// shown: #/g/17 is row 17, #/p/17/30 the path between two rows.

// ---- the map's controls -------------------------------------------------------------------------------------------------
// What a mouse or fingers do on the map: move it, zoom, draw the lasso, choose a point.
class MapHand {
  constructor(map, canvas) {
    this.map = map;
    this.canvas = canvas;
    this.pointers = new Map();                                // pixels of each mouse button or finger that is down
    this.moved = 0;
    this.lasso = null;                                        // places, while it is drawn
    this.apart = 0;                                           // of two fingers
  }

  pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left - 1, event.clientY - box.top - 1];
  }

  place([x, y]) {
    return [this.map.left + x / this.map.scale, this.map.top - y / this.map.scale];
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.pixel(event));
    this.lasso = this.lassoWanted(event) && this.pointers.size === 1 ? this.place(this.pixel(event)) : null;
    this.moved = 0;
    this.apart = this.between();
  }

  lassoWanted(event) {
    return event.shiftKey || $('lasso').getAttribute('aria-pressed') === 'true';
  }

  choose(x, y) { choosePoint(x, y); }

  tip(x, y) { showTip(x, y); }

  between() {
    const [a, b] = Array.from(this.pointers.values());
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }

  move(event) {
    const [x, y] = this.pixel(event);
    if (!this.pointers.has(event.pointerId)) {
      this.tip(x, y);
      return;
    }
    const [ox, oy] = this.pointers.get(event.pointerId);
    this.pointers.set(event.pointerId, [x, y]);
    this.moved += Math.abs(x - ox) + Math.abs(y - oy);
    if (this.pointers.size === 2) {
      this.pinch((x - ox) / 2, (y - oy) / 2);
    } else if (this.lasso) {
      this.lasso.push(...this.place([x, y]));
      this.map.lasso = this.lasso;
      this.map.redraw();
    } else {
      this.map.move(x - ox, y - oy);
    }
  }

  pinch(dx, dy) {
    const [a, b] = Array.from(this.pointers.values());
    const now = this.between();
    this.map.zoom(now / Math.max(this.apart, 1), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    this.map.move(dx, dy);
    this.apart = now;
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) {
      return;
    }
    if (this.lasso && this.lasso.length >= 6) {
      select(this.map.inside(this.lasso), this.lasso);
    } else if (this.moved < 5 && event.type === 'pointerup') {
      this.choose(...this.pixel(event));
    }
    this.lasso = null;
  }

  // The wheel moves the page, unless a key says that it zooms (a pinch on a touchpad counts as one), or the picture was clicked.
  zooms(event) {
    return event.ctrlKey || event.metaKey || document.activeElement === this.canvas;
  }

  wheel(event) {
    if (this.zooms(event)) {
      event.preventDefault();
      this.zoomBy(event, Math.exp(-(event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 0.05 : 0.0015)));    // Shift turns the wheel
    }
  }

  zoomBy(event, factor) { this.map.zoom(factor, ...this.pixel(event)); }
}

// What they do on the clustergram: rows are zoomed, samples where Shift is held, or above the cells, or where that is chosen.
class GramHand extends MapHand {
  lassoWanted() { return false; }

  choose(x, y) { useGram(this.map, this.map.at(x, y)); }

  tip(x, y) { showGramTip(x, y); }

  pinch(dx, dy) {
    const [a, b] = Array.from(this.pointers.values());
    const now = this.between();
    this.zoom(zoomedSide(), now / Math.max(this.apart, 1), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    this.map.move(dx, dy);
    this.apart = now;
  }

  zoomBy(event, factor) {
    const [x, y] = this.pixel(event);
    this.zoom(event.shiftKey || y < this.map.layOut().top ? 1 : zoomedSide(), factor, x, y);
  }

  zoom(side, factor, x, y) {
    const { left, top } = this.map.layOut();
    this.map.zoom(side, factor, side === 0 ? y - top : x - left);
  }
}

// What + and − zoom: samples (1) where the button says so, else rows (0).
function zoomedSide() {
  return $('gram-columns').getAttribute('aria-pressed') === 'true' ? 1 : 0;
}

function showGramTip(x, y) {
  const { gram } = page;
  const found = gram.at(x, y);
  const text = found ? gramText(gram, found) : '';
  const tip = $('gram-tip');
  tip.hidden = text === '';
  tip.textContent = text;
  tip.style.left = Math.min(x + 12, gram.wide * 0.6) + 'px';
  tip.style.top = y + 14 + 'px';
  const branch = found?.part === 'branch' ? found : null;
  if (branch?.node !== gram.branch?.node || branch?.side !== gram.branch?.side) {
    gram.branch = branch;
    gram.hover();
  }
  hover(found?.place !== undefined && gram.gram.of === 'rows' ? gram.gram.rows[found.place] - 1 : -1);
}

function connectGram() {
  const canvas = $('gram');
  const { gram } = page;
  const hand = new GramHand(gram, canvas);
  canvas.addEventListener('pointerdown', (event) => hand.down(event));
  canvas.addEventListener('pointermove', (event) => hand.move(event));
  canvas.addEventListener('pointerup', (event) => hand.up(event));
  canvas.addEventListener('pointercancel', (event) => hand.up(event));
  canvas.addEventListener('pointerleave', () => showGramTip(-1, -1));
  canvas.addEventListener('wheel', (event) => hand.wheel(event), { passive: false });
  canvas.addEventListener('keydown', (event) => pressed(event, GRAM_KEYS, gram));
  new ResizeObserver(() => gram.resized()).observe(canvas);
  $('gram-in').addEventListener('click', () => gram.zoom(zoomedSide(), 1.5));
  $('gram-out').addEventListener('click', () => gram.zoom(zoomedSide(), 1 / 1.5));
  $('gram-all').addEventListener('click', () => gram.fit());
  $('gram-columns').addEventListener('click', () => $('gram-columns').setAttribute('aria-pressed', String(zoomedSide() === 0)));
  $('gram-branch').addEventListener('click', () => selectLarger(gram));
  $('gram-selection').addEventListener('click', () => {
    if (gram.marked.length > 0) {
      gram.showPlaces(0, gram.marked[0], gram.marked[gram.marked.length - 1]);
    }
  });
  $('gram-png').addEventListener('click', () => {
    gram.settle();
    canvas.toBlob((blob) => save('clustergram.png', 'image/png', blob));
  });
  $('gram-svg').addEventListener('click', () => save('clustergram.svg', 'image/svg+xml', gram.svg()));
  $('gram-csv').addEventListener('click', () => save('clustergram.csv', 'text/csv', csvOfGram(gram)));
}

function selectLarger(gram) {
  const node = gram.larger();
  if (node >= 0) {
    select(gram.rowsOf(node), null);
  }
}

const GRAM_KEYS = {
  ArrowLeft: (gram) => gram.move(60, 0), ArrowRight: (gram) => gram.move(-60, 0),
  ArrowUp: (gram) => gram.move(0, 60), ArrowDown: (gram) => gram.move(0, -60),
  '+': (gram) => gram.zoom(zoomedSide(), 1.4), '=': (gram) => gram.zoom(zoomedSide(), 1.4), '-': (gram) => gram.zoom(zoomedSide(), 1 / 1.4),
  0: (gram) => gram.fit(), b: selectLarger,
  Enter: (gram) => useGram(gram, { part: 'name', place: Math.floor(gram.axes[0].from + gram.axes[0].shown / 2) }),
};

function connectMap() {
  const canvas = $('map');
  const hand = new MapHand(page.map, canvas);
  canvas.addEventListener('pointerdown', (event) => hand.down(event));
  canvas.addEventListener('pointermove', (event) => hand.move(event));
  canvas.addEventListener('pointerup', (event) => hand.up(event));
  canvas.addEventListener('pointercancel', (event) => hand.up(event));
  canvas.addEventListener('pointerleave', () => {
    $('tip').hidden = true;
    hover(-1);
  });
  canvas.addEventListener('wheel', (event) => hand.wheel(event), { passive: false });
  canvas.addEventListener('keydown', (event) => pressed(event, MAP_KEYS, page.map));
  new ResizeObserver(() => page.map.resized()).observe(canvas);
}

function choosePoint(x, y) {
  const i = page.map.at(x, y);
  if (i >= 0) {
    openRow(i);
  }
}

// Opens a row from a picture, and has it in sight.
function openRow(i) {
  location.hash = '#/g/' + (i + 1);
  bringIntoSight($('gene-part'));
}

// Answers stand beside the pictures, in a column that moves by itself; where there is no room for it the page moves.
function bringIntoSight(part) {
  const column = part.closest('.column');
  const { top } = part.getBoundingClientRect();
  if (getComputedStyle(column).overflowY === 'auto') {
    column.scrollTop += top - column.getBoundingClientRect().top;
    const below = document.querySelector('header').offsetHeight + 8 - column.getBoundingClientRect().top;    // at the end of the page
    if (below > 0) {
      scrollBy(0, -below);
    }
  } else if (top < -20 || top > innerHeight - 120) {
    part.scrollIntoView();
  }
}

function showTip(x, y) {
  const i = page.map.at(x, y, 10);
  const tip = $('tip');
  tip.hidden = i < 0;
  if (i >= 0) {
    tip.textContent = calledShort(i, 80);
    tip.style.left = Math.min(x + 12, page.map.wide * 0.6) + 'px';
    tip.style.top = y + 14 + 'px';
  }
  hover(i);
}

const MAP_KEYS = {
  ArrowLeft: (map) => map.move(60, 0), ArrowRight: (map) => map.move(-60, 0),
  ArrowUp: (map) => map.move(0, 60), ArrowDown: (map) => map.move(0, -60),
  '+': (map) => map.zoom(1.4), '=': (map) => map.zoom(1.4), '-': (map) => map.zoom(1 / 1.4), 0: (map) => map.fit(),
  Enter: (map) => {
    const i = map.at(map.wide / 2, map.high / 2, Infinity);
    if (i >= 0) {
      openRow(i);
    }
  },
};

// A key on one of the pictures, of which KEYS says what they do.
function pressed(event, keys, picture) {
  if (Object.hasOwn(keys, event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    keys[event.key](picture);
  }
}

function connectTools() {
  const { map } = page;
  $('lasso').addEventListener('click', () => {
    const on = $('lasso').getAttribute('aria-pressed') !== 'true';
    $('lasso').setAttribute('aria-pressed', String(on));
    $('map').classList.toggle('lasso', on);
  });
  $('zoom-in').addEventListener('click', () => map.zoom(1.5));
  $('zoom-out').addEventListener('click', () => map.zoom(1 / 1.5));
  $('zoom-all').addEventListener('click', () => map.fit());
  $('in-sight').addEventListener('click', () => select(map.inSight(), null));
  $('map-png').addEventListener('click', () => {
    map.settle();
    $('map').toBlob((blob) => save('map.png', 'image/png', blob));
  });
  $('map-svg').addEventListener('click', () => save('map.svg', 'image/svg+xml', map.svg()));
  $('colour').addEventListener('change', () => {
    page.colouring = $('colour').value;
    recolour();
  });
}

// ---- the page -----------------------------------------------------------------------------------------------------------
function route() {
  const { data } = page;
  const [, kind, first, second] = location.hash.split('/');
  const row = (text) => /^\d+$/.test(text || '') && Number(text) >= 1 && Number(text) <= data.n ? Number(text) - 1 : -1;
  page.path = [];
  if (page.map) {
    page.map.path = [];
  }
  if ((kind === 'g' || kind === 'p') && row(first) >= 0) {
    showRow(row(first));
    if (kind === 'p' && row(second) >= 0) {
      showPath(row(first), row(second));
    }
  } else {
    showNothing(location.hash.length > 2);
  }
}

function showNothing(wrong) {
  page.chosen = -1;
  if (page.map) {
    page.map.chosen = -1;
    page.map.redraw();
  }
  page.gram?.redraw();
  const order = Array.from(page.data.byHub.subarray(0, 12));
  $('gene-title').textContent = wrong ? 'There is no such row'
    : page.data.xy ? 'Search a name, or click a point' : page.data.gram ? 'Search a name, or click a row' : 'Search a name';
  $('gene').replaceChildren(make('p', {}, 'Rows that many others list:'), make('div', { class: 'cloud' }, ...order.map(shortLink)),
    ...(page.data.count.includes(0) ? [aloneLine()] : []));
}

function connectPage() {
  new SearchField($('search'), $('found'), (row) => {
    $('search').value = '';
    location.hash = '#/g/' + (row + 1);
    $('gene-title').focus({ preventScroll: true });
    bringIntoSight($('gene-part'));
  });
  window.addEventListener('hashchange', route);
  const head = document.querySelector('header');
  new ResizeObserver(() => document.documentElement.style.setProperty('--head', head.offsetHeight + 'px')).observe(head);
  printLight();
  $('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  $('help').addEventListener('click', () => $('keys').showModal());
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector('dialog[open]');
    if (event.key === '/' && !typing) {
      event.preventDefault();
      $('search').focus();
    } else if (event.key === 'Escape' && !typing) {
      select([], null);
    }
  });
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  page.map?.redraw();
  page.gram?.redraw();
}

// Paper is white: what is drawn is drawn anew for it.
function printLight() {
  let theme = 'light';
  window.addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    setTheme('light');
    page.map?.settle();
    page.gram?.settle();
  });
  window.addEventListener('afterprint', () => setTheme(theme));
}

// Nothing but the message stays in sight. The first one counts: what fails later may be for want of what this takes away.
function fail(error) {
  if (page.failed) {
    return;
  }
  page.failed = true;
  const text = error instanceof Damage
    ? `This file is damaged: its part "${error.message}" is not what was written. Get it again from where it came, or make it anew.`
    : 'This page cannot be shown: ' + error.message;
  Array.from(document.body.childNodes).filter((node) => node.id !== 'all').forEach((node) => node.remove());
  if ($('all')) {
    $('all').hidden = true;
  }
  document.body.prepend(make('p', { id: 'status', role: 'status' }, text));
}

async function start() {
  if (document.readyState === 'loading') {
    await new Promise((parsed) => { document.addEventListener('DOMContentLoaded', parsed); });
  }
  await checkShell();
  await buildPage();
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const data = page.data = await readData();
  turnAround(data);
  page.index = indexNames(data);
  page.test = entryTest(data);
  $('title').textContent = data.title || 'A graph of nearest neighbours';
  $('status').hidden = true;
  $('all').hidden = false;
  if (data.groups) {
    prepareGroups();
    $('groups-part').hidden = false;
    showGroups(40);
  }
  if (data.xy) {
    $('map-part').hidden = false;
    page.map = new GraphMap($('map'), data);
    listColours();
    connectMap();
    connectTools();
    recolour();
  }
  document.querySelector('main').classList.toggle('bare', !data.xy && !data.gram);
  if (data.gram) {
    $('gram-part').hidden = false;
    describeGram(data);
  }
  page.by = data.phenotypes.findIndex((p) => p.kinds.length > 0) + 1;     // values have to be asked for
  if (data.phenotypes.length > 0) {
    $('phenotypes-part').hidden = false;
    listPhenotypes();
  }
  showFoot();
  connectPage();
  route();
  await pause();
  await readRest();
}

// What can wait: rates, where a row is shown, and all that the page carries, so that damage is found at once.
async function readRest() {
  const { data } = page;
  await page.rates;
  if (data.values) {
    await readValues(data);
  }
  if (data.gram) {
    await startGram();
    connectGram();
  }
  for (let number = 1; number <= data.phenotypes.length; number++) {
    await phenotypeFacts(number);
  }
  document.documentElement.dataset.ready = 'yes';
}

start().catch(fail);
