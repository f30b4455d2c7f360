// show.js  What is shown: tables, the chosen row, paths, the selection, colours, groups, phenotypes, the foot; and what
// is saved from there.
//
// Every text that came with the data reaches the page by textContent, or as the value of a control; no markup is made of
// it anywhere.

const page = {
  failed: false,
  data: null,
  index: null,                                                // of names
  chosen: -1,                                                 // the row that is shown
  path: [],
  test: null,                                                 // p of an entry
  rate: null,                                                 // the false discovery rate of an entry, when it is known;
  rates: null,                                                // a promise of it
  map: null,
  gram: null,                                                 // the clustergram
  hovered: -1,                                                // the row below the mouse, in any of the two
  selection: [],
  polygon: null,                                              // of the lasso that made the selection, in places
  colouring: 'group',
  by: 0,                                                      // the phenotype by which samples stand, from 1
  heat: null,                                                 // the rows of the heat map, in order
};

const $ = (id) => document.getElementById(id);

// An element with attributes, and texts or elements inside. A function as attribute `onclick` is what a click does.
function make(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const key of Object.keys(attributes)) {
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), attributes[key]);
    } else if (attributes[key] !== undefined) {
      element.setAttribute(key, attributes[key]);
    }
  }
  element.append(...inside.map((part) => part instanceof Node ? part : String(part)));
  return element;
}

function button(text, click, attributes = {}) {
  return make('button', { type: 'button', onclick: click, ...attributes }, text);
}

// A table of a head, [text, class, what it is], and rows of cells: texts, or elements. A column of the class 'pin' stays
// in sight where the table is wider than its box; those of the class 'label' are so wide that texts of up to ten letters
// stand in one line.
function makeTable(caption, head, rows) {
  const longest = rows.reduce((most, row) => row.reduce((m, part, c) =>
    (head[c][1] === 'label' ? Math.max(m, (part.textContent ?? String(part)).length) : m), most), 0);
  const th = (c) => ({ class: head[c][1] || undefined, scope: 'col', title: head[c][2] });
  const cell = (kind, part, c) => make(kind, kind === 'th' ? th(c) : { class: head[c][1] || undefined }, part);
  const table = make('table', { 'aria-label': caption },
    make('thead', {}, make('tr', {}, ...head.map(([text], c) => cell('th', text, c)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((part, c) => cell('td', part, c))))));
  table.style.setProperty('--label', 1.15 * Math.min(longest, 10) + 'ch');
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table);
}

// A link to a row; what is long is cut by the style, and stands whole in its title.
function rowLink(i) {
  const name = nameOf(page.data, i);
  return make('a', { href: '#/g/' + (i + 1), ...clipped(name) }, shorten(name, 200));
}

// The same by its label, where it has one: then its title is the name.
function shortLink(i) {
  const link = rowLink(i);
  const label = labelOf(page.data, i);
  if (label !== '') {
    link.textContent = shorten(label, 60);
    link.title = nameOf(page.data, i);
  }
  return link;
}

function textCell(text) {
  return make('span', clipped(text), shorten(text, 200));
}

function clipped(text) {
  return { class: 'clip', dir: 'auto', title: text.length > 40 ? text : undefined };
}

// How a row is called where there is room for some letters.
function calledShort(i, letters) {
  const { data } = page;
  return (data.names ? shortOf(data.names, i, letters) : '') + (data.names?.[i] ? '' : nameOf(data, i)) + (labelOf(data, i) ? ' · ' + shortOf(data.labels, i, 40) : '');
}

// ---- numbers as texts ---------------------------------------------------------------------------------------------------
function digits(v, count) {
  return Number.isNaN(v) ? '' : String(Number(v.toPrecision(count)));
}

function small(v) {
  return Number.isNaN(v) ? '' : v === 0 ? '0' : v < 0.001 ? v.toExponential(2) : v.toPrecision(3);
}

// ---- files, and code to copy --------------------------------------------------------------------------------------------
function save(name, type, content) {
  const blob = content instanceof Blob ? content : new Blob(Array.isArray(content) ? content : [content], { type });
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// A line of a table. A spreadsheet would take a text that begins with one of these for a formula, some also with their
// wide forms, so an apostrophe stands before it.
function csvLine(cells) {
  const plain = (v) => Number.isNaN(v) ? '' : String(v);
  return cells.map((cell) => {
    const text = typeof cell === 'number' ? plain(cell) : /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? "'" + cell : cell;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }).join(',') + '\r\n';
}

function csvOfRows(rows) {
  const { data } = page;
  const columns = [['row', (i) => i + 1], ['name', (i) => nameOf(data, i)], ['label', (i) => labelOf(data, i), data.labels],
    ['group', (i) => groupName(data, data.group[i]), data.groups], ['listed by', (i) => data.hub[i]],
    ['x', (i) => data.xy[2 * i], data.xy], ['y', (i) => data.xy[2 * i + 1], data.xy]];
  const there = columns.filter((c) => c.length < 3 || c[2]);  // a third is what it needs
  return csvLine(there.map(([title]) => title)) + rows.map((i) => csvLine(there.map(([, of]) => of(i)))).join('');
}

// What selects the same rows in Octave. The polygon is in the units of XY; numbers only, so nothing has to be quoted.
function octaveCode(rows) {
  const line = `rows = [${rows.map((i) => i + 1).join(' ')}];`;
  let text = line.replace(/(.{1,90})( |$)/g, '$1 ...\n').replace(/ \.\.\.\n$/, '') + '\n';
  if (page.polygon) {
    const points = [];
    for (let p = 0; p < page.polygon.length; p += 2) {
      points.push(page.polygon[p] + ' ' + page.polygon[p + 1]);
    }
    text += `% the lasso, in the units of info.XY:\npolygon = [${points.join('; ...\n')}];\n` +
      "% rows = find (inpolygon (info.XY(:, 1), info.XY(:, 2), polygon(:, 1), polygon(:, 2)))';\n";
  }
  return page.data.samples > 0 ? text + 'ds.names(rows)\n' : text;
}

async function showCode(text) {
  $('copy-text').value = text;
  $('copy-note').textContent = '';
  $('copy').showModal();
  $('copy-text').select();
  try {
    await navigator.clipboard.writeText(text);
    $('copy-note').textContent = 'Copied.';
  } catch (error) {
    $('copy-note').textContent = 'Copy it with Ctrl-C.';
  }
}

// ---- search -------------------------------------------------------------------------------------------------------------
// A field with a list below it that searches names; pick(row) is called with what is chosen.
class SearchField {
  constructor(input, list, pick) {
    Object.assign(this, { input, list, pick, found: [], at: -1 });
    input.addEventListener('input', () => this.search());
    input.addEventListener('keydown', (event) => this.key(event));
    input.addEventListener('blur', () => this.open(false));
  }

  open(yes) {
    this.list.hidden = !yes;
    this.input.setAttribute('aria-expanded', String(yes));
    this.input.removeAttribute('aria-activedescendant');
    this.at = -1;
  }

  search() {
    const { rows, near } = searchNames(page.index, this.input.value, 20);
    this.found = rows;
    this.list.replaceChildren(...rows.map((row, i) => this.option(row, i)));
    if (near && this.input.value.trim() !== '') {
      const said = rows.length > 0 ? 'No such name. Did you mean:' : 'No such name, nor one nearly so.';
      this.list.prepend(make('li', { class: 'note' }, said));
    }
    this.open(this.list.children.length > 0);
  }

  option(row, i) {
    const down = (event) => {
      event.preventDefault();                                 // or the field would lose the focus, and close the list
      this.choose(row);
    };
    const attributes = { role: 'option', id: `${this.list.id}-${i}`, 'aria-selected': 'false', dir: 'auto' };
    return make('li', { ...attributes, onpointerdown: down }, calledShort(row, 80));
  }

  choose(row) {
    this.open(false);
    this.pick(row);
  }

  mark(next) {
    this.at = next;
    const items = Array.from(this.list.querySelectorAll('[role=option]'));
    items.forEach((item, i) => item.setAttribute('aria-selected', String(i === next)));
    this.input.setAttribute('aria-activedescendant', items[next].id);
    items[next].scrollIntoView({ block: 'nearest' });
  }

  key(event) {
    const count = this.list.hidden ? 0 : this.found.length;
    if (event.key === 'Escape') {
      this.open(false);
    } else if (count > 0 && event.key === 'Enter') {
      event.preventDefault();
      this.choose(this.found[Math.max(this.at, 0)]);
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : this.at < 0 ? 0 : -1;
      this.mark((this.at + step + count) % count);
    }
  }
}

// ---- what samples stand by ----------------------------------------------------------------------------------------------
function shownBy() {
  return page.by > 0 ? page.data.phenotypes[page.by - 1] : null;
}

// A choice of it, for pictures over the samples: the phenotypes of which something is known; nothing where there are none.
function orderChoice(id, name) {
  const { data } = page;
  const there = Array.from(data.phenotypes.keys()).filter((p) =>
    data.phenotypes[p].kinds.length > 0 || data.phenotypes[p].of.some((v) => v !== null));
  if (there.length === 0) {
    return [];
  }
  const choice = make('select', { id, 'aria-label': name },
    ...there.map((p) => make('option', { value: String(p + 1) }, shorten(data.phenotypes[p].name, 40))), make('option', { value: '0' }, 'nothing'));
  choice.value = String(page.by);
  choice.addEventListener('change', async () => {
    page.by = Number(choice.value);
    await Promise.all([page.chosen >= 0 ? showProfile(page.chosen) : null, $('heat-by') ? showHeat() : null]);
    $(id)?.focus();                                           // it was made anew
  });
  return [make('label', {}, 'Samples by ', choice)];
}

// ---- the chosen row -----------------------------------------------------------------------------------------------------
function showRow(i) {
  const { data } = page;
  const within = $('gene').contains(document.activeElement);  // a link that will be gone
  page.chosen = i;
  needRates();
  $('gene-title').textContent = nameOf(data, i) + (labelOf(data, i) ? ' · ' + labelOf(data, i) : '');
  $('gene-title').dir = 'auto';
  const facts = [`Row ${i + 1}`, `listed by ${data.hub[i]} ${data.hub[i] === 1 ? 'row' : 'rows'}`];
  if (data.groups) {
    facts.push('group ' + shortGroup(data, data.group[i], 60));
  }
  const parts = [make('p', { class: 'quiet' }, facts.join(' · ')), neighbourTable(i), ...tableNote(i), rowTools(i)];
  if (data.values) {
    parts.splice(1, 0, make('p', { id: 'gaps', class: 'quiet', hidden: '' }));
    parts.push(make('div', { id: 'profile' }));
  }
  $('gene').replaceChildren(...parts);
  if (within) {
    $('gene-title').focus({ preventScroll: true });
  }
  if (data.values) {
    showProfile(i);
  }
  if (page.colouring === 'similarity') {
    recolour();
  }
  if (page.map) {
    page.map.chosen = i;
    page.map.show(i);
    page.map.redraw();
  }
  page.gram?.show(i);
}

// Marks a row where it is shown elsewhere, -1 for none.
function hover(row) {
  if (page.gram && page.hovered !== row) {
    page.hovered = row;
    page.map?.hover();
    page.gram.hovered = page.gram.placeOfRow(row);
    page.gram.hover();
  }
}

// Rates take as long as all else that the page computes: they begin with the first row that is shown, and come into its table.
function needRates() {
  if (page.test && !page.rates) {
    page.rates = falseRates(page.data, page.test).then((rate) => {
      page.rate = rate;
      if (page.chosen >= 0) {
        $('gene').querySelector('.scroll')?.replaceWith(neighbourTable(page.chosen));
      }
    });
  }
}

// What a row of the table of neighbours holds, by the metric.
function neighbourTable(i) {
  const { data, test, rate } = page;
  if (data.count[i] === 0) {
    return make('p', { id: 'alone' }, 'No neighbours. ', make('span', { id: 'why' }, data.values ? '' : whyAlone(data, null)));
  }
  const r = data.correlation !== 0;
  const head = [['#', 'number'], ['name', 'text pin'], ...(data.labels ? [['label', 'label']] : []), [valueTitle(), 'number'],
    ...(data.shared ? [['samples', 'number']] : []), ...(test ? [['p', 'number'], ['FDR', 'number']] : []), ['⇄', ''], ['listed by', 'number']];
  const rows = [];
  for (let e = data.start[i]; e < data.start[i + 1]; e++) {
    const j = data.idx[e];
    const d = data.dist[e];
    rows.push([String(e - data.start[i] + 1), rowLink(j), ...(data.labels ? [textCell(labelOf(data, j))] : []),
      r ? (data.correlation * (1 - d)).toFixed(5) : digits(d, 6),
      ...(data.shared ? [String(data.shared[e])] : []), ...(test ? [small(test(e)), rate ? small(rate(e)) : '…'] : []),
      j === i ? 'itself' : data.back[e] >= 0 ? mutualMark() : '', String(data.hub[j])]);
  }
  return makeTable('Neighbours, nearest first', head, rows);
}

// The words of the table's head.
function tableNote(i) {
  const { data, test } = page;
  if (data.count[i] === 0) {
    return [];
  }
  const said = [];
  if (data.correlation !== 0) {
    said.push(`${valueTitle()}: ${data.metric === 'spearman' ? 'Spearman’s' : 'Pearson’s'} correlation`);
  } else {
    said.push('distance: ' + (data.metric || 'that of the graph'));
  }
  if (data.shared) {
    said.push('samples: how many both have');
  }
  if (test) {
    said.push('p: two-sided', 'FDR: false discovery rate among all pairs, by Benjamini and Hochberg');
  }
  said.push('⇄: each lists the other', 'listed by: how many other rows list it');
  return [make('p', { class: 'quiet' }, said.join('; ') + '.')];
}

// What the graph says of a pair: abspearson does not keep the sign of r.
function valueTitle() {
  const { data } = page;
  return data.correlation === 0 ? 'distance' : data.metric === 'abspearson' ? '|r|' : 'r';
}

function mutualMark() {
  return make('span', { title: 'each lists the other', role: 'img', 'aria-label': 'mutual' }, '⇄');
}

function rowTools(i) {
  const tools = make('div', { class: 'tools' },
    button(page.data.count[i] > 0 ? 'Select it and its neighbours' : 'Select it', () => select([i, ...neighboursOf(page.data, i)], null)));
  if (page.data.samples > 0) {
    const code = `t = knng.neighbors (ds, idx, dist, ${i + 1})\nknng.profile (ds, idx, dist, ${i + 1})\n`;
    tools.append(button('Octave code', () => showCode(code)));
  }
  const input = make('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', placeholder: 'Path to …', 'aria-label': 'Path to another name',
    'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'found-path',
  });
  const list = make('ul', { id: 'found-path', role: 'listbox', 'aria-label': 'Found names', hidden: '' });
  new SearchField(input, list, (row) => { location.hash = `#/p/${i + 1}/${row + 1}`; });
  tools.append(make('div', { class: 'search' }, input, list));
  return make('div', {}, tools, make('div', { id: 'path' }));
}

// What the values say, when they have been read.
function showGaps(i) {
  const { data } = page;
  const facts = factsOf(valuesOf(data, i));
  if (data.count[i] === 0) {
    $('why').textContent = whyAlone(data, facts);
  } else if (facts.missing > 0) {
    $('gaps').textContent = missingText(data, facts) + '.';
    $('gaps').hidden = false;
  }
  return facts;
}

async function showProfile(i) {
  const { data } = page;
  const near = neighboursOf(data, i).filter((j) => j !== i).slice(0, 30);
  try {
    await Promise.all([i, ...near].map((row) => valueBlock(data, row)));
  } catch (error) {
    fail(error);
    return;
  }
  if (page.chosen !== i) {
    return;
  }
  const facts = showGaps(i);
  if (facts.missing === data.samples && near.length === 0) {
    $('profile').replaceChildren();                           // nothing could be drawn
    return;
  }
  const rows = [i, ...near].map((row) => standardize(valuesOf(data, row)));
  const turned = rows.map((row, p) => p > 0 && data.correlation !== 0 && correlation(rows[0], row) < 0 ? row.map((v) => -v) : row);
  const by = shownBy();
  const wide = Math.max(320, Math.min(640, $('profile').clientWidth));
  const picture = profilePicture(turned, by, wide, `Profile of ${nameOf(data, i)} over ${data.samples} samples`);
  const svg = () => save('profile.svg', 'image/svg+xml', svgText(inInk(picture)));
  const csv = () => save('profile.csv', 'text/csv', csvOfValues([i, ...near]));
  const grey = near.length === 0 ? '' : `; ${near.length === 1 ? 'its neighbour' : `${near.length} neighbours`} in grey`;
  const note = 'Standard deviations from the mean' + grey +
    (data.correlation !== 0 && near.length > 0 ? ', upside down where r < 0' : '') +
    '. Samples stand ' + (!by ? 'in the order of the row.' : by.kinds.length > 0 ? 'in the order of the row, class by class.'
    : `by ${shorten(by.name, 40)}, where that is the same in the order of the row.`);
  $('profile').replaceChildren(
    make('h3', {}, 'Over the samples' + (by ? ', by ' + shorten(by.name, 40) : '')), picture, make('p', { class: 'quiet' }, note),
    make('div', { class: 'tools' }, ...orderChoice('profile-by', 'Order of the samples in the profile'),
      button('SVG', svg, { 'aria-label': 'Profile as SVG' }), button('CSV', csv, { 'aria-label': 'Values as CSV' })));
}

// A picture for a file, where there is no style around it.
function inInk(picture) {
  const plain = picture.cloneNode(true);
  plain.setAttribute('color', '#1c2228');
  const [, , wide, high] = plain.getAttribute('viewBox').split(' ');
  plain.setAttribute('width', wide);
  plain.setAttribute('height', high);
  return plain;
}

function csvOfValues(rows) {
  const { data } = page;
  const head = csvLine(['name', ...Array.from({ length: data.samples }, (unused, j) => sampleName(data, j))]);
  return head + rows.map((i) => csvLine([nameOf(data, i), ...valuesOf(data, i)])).join('');
}

// ---- the path between two rows ------------------------------------------------------------------------------------------
function showPath(from, to) {
  const path = pathBetween(page.data, from, to);
  page.path = path || [];
  const target = $('path');
  const item = (i) => make('li', {}, rowLink(i), ' ' + shorten(labelOf(page.data, i), 60));
  if (path) {
    target.replaceChildren(make('h3', {}, `A shortest path, ${path.length - 1} ${path.length === 2 ? 'edge' : 'edges'}`),
      make('ol', {}, ...path.map(item)),
      button('Select the path', () => select(path, null)));
  } else {
    target.replaceChildren(make('p', {}, 'No path: ', rowLink(to), ' is in another part of the graph.'));
  }
  if (page.map) {
    page.map.path = page.path;
    page.map.redraw();
  }
}

// ---- the selection ------------------------------------------------------------------------------------------------------
function select(rows, polygon) {
  const { data } = page;
  page.selection = Array.from(new Set(rows)).sort((a, b) => a - b);
  page.polygon = polygon;
  if (page.map) {
    page.map.selected.fill(0);
    page.selection.forEach((i) => { page.map.selected[i] = 1; });
    page.map.lasso = polygon;
    page.map.redraw();
  }
  page.gram?.mark();
  $('selection-part').hidden = page.selection.length === 0;
  const count = page.selection.length;
  const tools = make('div', { class: 'tools' },
    button('CSV', () => save('selection.csv', 'text/csv', csvOfRows(page.selection)), { 'aria-label': 'Selection as CSV' }),
    button('Octave code', () => showCode(octaveCode(page.selection)), { 'aria-label': 'Octave code of the selection' }),
    ...(data.values ? [button('Heat map', () => showHeat(), { id: 'heat-button' })] : []),
    button('Clear', () => select([], null), { 'aria-label': 'Clear the selection' }));
  const shown = page.selection.slice(0, 300);
  $('selection').replaceChildren(make('p', { id: 'selected', role: 'status' }, `${count} ${count === 1 ? 'row' : 'rows'}` +
    (count > shown.length ? `, of which the first ${shown.length} are listed` : '')), tools,
  make('div', { class: 'cloud' }, ...shown.map(shortLink)), make('div', { id: 'heat' }));
  if (count > 0) {
    bringIntoSight($('selection-part'));
  }
}

// The selection in colours, similar rows side by side.
const MOST_HEAT = 1000;

async function showHeat() {
  const { data } = page;
  const chosen = page.selection;
  if (chosen.length > MOST_HEAT) {
    $('heat').replaceChildren(make('p', {}, `A heat map is of at most ${MOST_HEAT} rows: select fewer.`));
    return;
  }
  try {
    await readValues(data);
  } catch (error) {
    fail(error);
    return;
  }
  if (page.selection !== chosen) {
    return;
  }
  const heat = heatOf(chosen);
  const { canvas, listed, by } = heat;
  canvas.className = 'heat';
  canvas.style.height = (chosen.length <= 80 ? 18 * canvas.height : Math.min(3 * canvas.height, 700)) + 'px';
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Heat map of ${chosen.length} rows; the button CSV has its values`);
  const names = make('div', { class: by ? 'heat-names below-bar' : 'heat-names' });
  names.append(...(chosen.length <= 80 ? listed.map((i) => make('div', {}, shortLink(i))) : []));
  const note = 'Blue low, orange high, in standard deviations of each row; the lightest grey is missing. Rows by average linkage over 1 − r' +
    (by ? `; samples by ${shorten(by.name, 40)}, then` : '; samples') + ' by the mean of the rows.';
  $('heat').replaceChildren(make('div', { class: 'heat-box' }, canvas, names), scaleLine(MOST_SPREAD, ' SD'), orderLegend(by), make('p', { class: 'quiet' }, note),
    heatTools(heat));
}

// The heat map of rows: { canvas, listed: the rows in their order, rows: their standardized values, samples: the order of
// these, what they stand by }. The order of the rows is found once.
function heatOf(chosen) {
  const { data } = page;
  if (!page.heat || page.heat.chosen !== chosen) {
    const rows = chosen.map((i) => standardize(valuesOf(data, i)));
    const order = clusterOrder(rows);
    page.heat = { chosen, rows: order.map((a) => rows[a]), listed: order.map((a) => chosen[a]) };
  }
  const { rows, listed } = page.heat;
  const by = shownBy();
  const means = standardize(Array.from({ length: data.samples }, (unused, j) => rows.reduce((sum, row) => sum + (row[j] || 0), 0)));
  const samples = sampleOrder(by, means);
  return { canvas: heatPicture(rows, samples, by), rows, listed, samples, by };
}

// What the colours of the bar above a heat map stand for.
function orderLegend(by) {
  const legend = make('div', { class: 'legend' });
  if (!by) {
    return legend;
  }
  const mark = (look, name) => make('span', {}, markOf({ ...look, shape: 'square' }), name);
  legend.append(...by.kinds.slice(0, 16).map((unused, c) => mark({ colour: classColour(by, c + 1) }, shortOf(by.kinds, c, 24))));
  if (by.kinds.length > 16) {
    legend.append(make('span', {}, `and ${by.kinds.length - 16} more`));
  }
  if (by.kinds.length === 0) {
    legend.append(...stepsOf(by).map(([part, v]) => mark({ colour: paleToViolet(part) }, digits(v, 4))));
  }
  if (by.of.some((unused, j) => isNone(by, j))) {
    legend.append(mark({ colour: NO_GROUP }, 'none'));
  }
  return legend;
}

function heatTools(heat) {
  const { data } = page;
  const { canvas, listed, samples, by } = heat;
  const png = () => enlarged(canvas, 1200).toBlob((blob) => save('heatmap.png', 'image/png', blob));
  const svg = () => save('heatmap.svg', 'image/svg+xml', svgText(heatDrawing(canvas, by,
    listed.map((i) => shortName(data, i)), samples.map((j) => sampleName(data, j)))));
  const csv = () => save('heatmap.csv', 'text/csv', csvOfValues(listed));
  const code = () => showCode('% in the order of the heat map\n' + octaveCode(listed));
  return make('div', { class: 'tools' }, ...orderChoice('heat-by', 'Order of the samples in the heat map'),
    button('PNG', png, { 'aria-label': 'Heat map as PNG' }), button('SVG', svg, { 'aria-label': 'Heat map as SVG' }),
    button('CSV', csv, { 'aria-label': 'Values of the heat map as CSV' }),
    button('Octave code', code, { 'aria-label': 'Octave code of this order' }));
}

// ---- colours of the map -------------------------------------------------------------------------------------------------
// What the points can be coloured by: { value, text, of }, of() gives numbers from -1 to 1, or null for groups.
function listColours() {
  const { data } = page;
  const list = [data.groups ? { value: 'group', text: 'groups' } : { value: 'plain', text: 'nothing' },
    { value: 'hub', text: 'listed by' }];
  if (data.values) {
    list.push({ value: 'similarity', text: 'similarity to the chosen row' });
  }
  data.phenotypes.forEach((p, i) => list.push({ value: 'phenotype ' + (i + 1), text: 'goes with ' + shorten(p.name, 40) }));
  if (data.values) {
    for (let j = 0; j < data.samples; j++) {
      list.push({ value: 'sample ' + j, text: shortSample(data, j, 40) });
    }
  }
  $('colour').replaceChildren(...list.map((c) => make('option', { value: c.value }, c.text)));
  page.colouring = list[0].value;
}

// The numbers that the rows are coloured by, and what -1 and 1 stand for; null for groups.
async function colourValues(what) {
  const { data } = page;
  const [kind, number] = what.split(' ');
  if (kind === 'hub') {
    const most = data.hub.reduce((a, b) => Math.max(a, b), 1);
    return { values: Float32Array.from(data.hub, (h) => 2 * Math.sqrt(h / most) - 1), low: '0', high: String(most) };
  } else if (kind === 'phenotype') {
    return phenotypeColours(Number(number));
  } else if (kind === 'group' || kind === 'plain') {
    return null;
  }
  await readValues(data);
  const values = new Float32Array(data.n).fill(NaN);
  const chosen = kind === 'similarity' && page.chosen >= 0 ? standardize(valuesOf(data, page.chosen)) : null;
  for (let i = 0; i < data.n; i++) {
    const row = standardize(valuesOf(data, i));
    values[i] = kind === 'sample' ? row[number] / 2 : chosen ? correlation(chosen, row) : NaN;
  }
  return { values, low: kind === 'sample' ? '−2 SD' : 'r −1', high: kind === 'sample' ? '+2 SD' : 'r 1' };
}

async function phenotypeColours(number) {
  const { data } = page;
  const p = data.phenotypes[number - 1];
  const effect = (await phenotypeFacts(number)).effect;
  if (p.kinds.length === 0) {
    return { values: effect, low: 'r −1', high: 'r 1' };
  }
  return { values: effect.map((v) => 2 * Math.sqrt(v) - 1), low: 'η² 0', high: 'η² 1' };
}

async function recolour() {
  const { data, map } = page;
  const what = page.colouring;
  let given;
  try {
    given = await colourValues(what);
  } catch (error) {
    fail(error);
    return;
  }
  if (what !== page.colouring) {
    return;
  }
  map.titles = what === 'group' ? page.groupTitles : [];
  map.shapes.fill(0);
  map.below = null;
  if (given) {
    for (let i = 0; i < data.n; i++) {
      map.colours[i] = pixelOf(scaleColour(given.values[i]));
    }
  } else {
    colourGroups();
  }
  showLegend(given);
  map.redraw();
}

function colourGroups() {
  const { data, map } = page;
  map.below = new Uint8Array(data.n);
  for (let i = 0; i < data.n; i++) {
    const group = data.groups ? page.rank[data.group[i]] : 1;
    const look = lookOf(group);
    map.colours[i] = pixelOf(rgb(look.colour));
    map.shapes[i] = SHAPES.indexOf(look.shape);
    map.below[i] = group === 0 ? 1 : 0;
  }
}

// The colours from -1 to 1.
function rampPicture() {
  const ramp = make('canvas', { class: 'ramp', width: '140', height: '1', role: 'img', 'aria-label': 'from blue over grey to orange' });
  const context = ramp.getContext('2d');
  for (let x = 0; x < 140; x++) {
    context.fillStyle = hex(scaleColour(x / 69.5 - 1));
    context.fillRect(x, 0, 1, 1);
  }
  return ramp;
}

// The values that colours stand for.
function scaleLine(limit, unit) {
  return make('p', { class: 'scale' }, make('span', {}, '−' + digits(limit, 4), rampPicture(), digits(limit, 4) + unit));
}

function showLegend(given) {
  const legend = $('legend');
  if (given) {
    legend.replaceChildren(make('span', {}, given.low, rampPicture(), given.high));
    if (page.colouring === 'similarity' && page.chosen < 0) {
      legend.replaceChildren('Search a name, or click a point: the others get the colour of their similarity to it.');
    }
  } else if (page.data.groups) {
    const shown = page.groupList.slice(0, 16);
    legend.replaceChildren(...shown.map((g) => make('span', {}, groupMark(g.number), `${shortGroup(page.data, g.number, 24)} (${g.rows.length})`)));
    if (page.groupList.length > shown.length) {
      legend.append(make('span', {}, `and ${page.groupList.length - shown.length} smaller ones`));
    }
    const { noise, none } = withoutGroup(page.data);
    legend.append(...[['none', none], ['noise', noise]].filter(([, count]) => count > 0)
      .map(([name, count]) => make('span', {}, markOf(lookOf(0)), `${name} (${count})`)));
  } else {
    legend.replaceChildren();
  }
  legend.prepend(make('span', { class: 'on-paper' }, 'Colour: ' + $('colour').selectedOptions[0].textContent));
}

// A small picture of how the points of a group look.
function groupMark(number) {
  return markOf(lookOf(page.rank[number]));
}

function markOf(look) {
  const mark = svgElement('svg', { class: 'mark', viewBox: '-7 -7 14 14', 'aria-hidden': 'true' });
  const corners = cornersOf(look.shape, 5);
  mark.append(corners ? svgElement('polygon', { points: corners.map((c) => c.join(',')).join(' '), fill: look.colour })
    : svgElement('circle', { r: 5, fill: look.colour }));
  return mark;
}

// ---- groups -------------------------------------------------------------------------------------------------------------
// Colours go by size: those of the largest differ most, whatever their numbers are.
function prepareGroups() {
  const { data } = page;
  page.groupList = describeGroups(data);
  page.rank = new Uint32Array(data.groups.length + 1);
  page.groupList.forEach((g, place) => { page.rank[g.number] = place < 40 ? place + 1 : 0; });
  page.groupTitles = data.xy ? page.groupList.slice(0, 40).filter((g) => g.rows.length >= data.n / 200).map(groupTitle) : [];
}

// The name of a group stands at the median of its places.
function groupTitle(g) {
  const middle = (c) => {
    const all = g.rows.map((i) => page.data.xy[2 * i + c]).filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
    return all.length > 0 ? all[all.length >> 1] : NaN;
  };
  return { x: middle(0), y: middle(1), text: shortGroup(page.data, g.number, 24) };
}

// How many rows are noise, and how many others are in no group.
function withoutGroup(data) {
  const noise = data.noise ?? 0;
  return { noise, none: data.group.reduce((count, group) => count + (group === 0 ? 1 : 0), 0) - noise };
}

// Names of rows, one after the other; a comma stays with its name.
function rowLinks(rows) {
  return make('span', {}, ...rows.flatMap((i, c) => {
    const link = shortLink(i);
    link.removeAttribute('class');
    const item = make('span', { class: 'clip' }, link, c < rows.length - 1 ? ',' : '');
    return c > 0 ? [' ', item] : [item];
  }));
}

function showGroups(most) {
  const { data } = page;
  const sign = data.tight ? 1 : data.correlation;             // centres of antipearson are compared by |r|
  const tightness = (d) => data.correlation === 0 ? digits(d, 4) : Number.isNaN(d) ? '' : (sign * (1 - d)).toFixed(3);
  const rows = page.groupList.slice(0, most).map((g) => [groupMark(g.number), textCell(g.name), String(g.rows.length),
    tightness(g.tight), g.edges > 0 ? (100 * g.inside / g.edges).toFixed(0) + ' %' : '',
    rowLinks(g.central),
    button('Select', () => select(g.rows, null), { 'aria-label': 'Select group ' + shortGroup(data, g.number, 40) })]);
  const words = groupWords();
  const head = [['', ''], ['group', 'text pin'], ['rows', 'number'], [words.short, 'number', words.tight],
    ['edges inside', 'number', words.inside], [words.title, 'text names', words.central], ['', '']];
  $('groups').replaceChildren(makeTable('Groups, largest first', head, rows),
    make('p', { class: 'quiet' }, `${words.short[0].toUpperCase() + words.short.slice(1)}: ${words.tight}. ${words.title[0].toUpperCase() + words.title.slice(1)}: ${words.central}. ` +
      `Edges inside: ${words.inside}.`));
  const { noise, none } = withoutGroup(data);
  if (noise + none > 0) {
    const without = [...(noise > 0 ? [`${counted(noise, 'row')} of noise`] : []), ...(none > 0 ? [counted(none, noise > 0 ? 'other' : 'row')] : [])];
    $('groups').append(make('p', { id: 'no-group', class: 'quiet' }, `In no group: ${without.join(' and ')}${data.xy ? ', grey on the map' : ''}.`));
  }
  if (page.groupList.length > most) {
    $('groups').append(button(`Show all ${page.groupList.length}`, () => showGroups(Infinity)));
  }
}

// What the columns of the table of groups are.
const CENTRES = { cosine: 'its rows at length 1', spearman: 'the standardized ranks of its rows', pearson: 'its standardized rows' };
const MIRRORED = ['abspearson', 'antipearson'];

function groupWords() {
  const { data } = page;
  const inside = 'how many of the neighbours of its rows are in the group, too';
  const r = data.correlation !== 0;
  if (!data.tight) {
    const best = r ? `nearer ${data.correlation < 0 ? '−1' : '1'}` : 'smaller';
    return {
      inside, title: 'most listed inside', central: 'the rows that most rows of the group list',
      short: `mean ${valueTitle()} inside`, tight: `of the edges inside; the ${best}, the closer`,
    };
  }
  const mirrored = MIRRORED.includes(data.metric);
  const mean = mirrored ? 'its standardized rows, those with r < 0 upside down' : CENTRES[data.metric] || 'its rows';
  const what = mirrored ? '|r|' : r ? 'r' : `distance (${data.metric})`;
  return {
    inside, short: 'tightness', title: 'nearest its centre', central: `the rows with the ${r ? 'largest' : 'smallest'} of these`,
    tight: `the mean ${what} of its rows ${r ? 'with' : 'from'} its centre, which is the mean of ${mean}; the ${r ? 'nearer 1' : 'smaller'}, the tighter`,
  };
}

// ---- phenotypes ---------------------------------------------------------------------------------------------------------
// What is known of each row and a phenotype, read once: { effect, p, top }.
async function phenotypeFacts(number) {
  const { data } = page;
  const p = data.phenotypes[number - 1];
  if (!p.facts) {
    const effect = await unpackNumbers('effect' + number, Float64Array, data.n);
    const values = await unpackNumbers('p' + number, Float64Array, data.n);
    const top = p.kinds.length > 0 ? await unpackNumbers('top' + number, Uint32Array, data.n) : null;
    p.facts = { effect, p: values, top };
  }
  return p.facts;
}

function listPhenotypes() {
  const choice = make('select', { 'aria-label': 'Phenotype', onchange: () => showPhenotype(Number(choice.value)) },
    ...page.data.phenotypes.map((p, i) => make('option', { value: String(i + 1) }, shorten(p.name, 60))));
  $('phenotypes').replaceChildren(make('div', { class: 'tools' }, choice), make('div', { id: 'going-with' }));
  showPhenotype(1);
}

async function showPhenotype(number) {
  const { data } = page;
  const p = data.phenotypes[number - 1];
  let facts;
  try {
    facts = await phenotypeFacts(number);
  } catch (error) {
    fail(error);
    return;
  }
  const labels = p.kinds.length > 0;
  const { first, q } = ratesOf(facts.p, 30);
  const head = [['#', 'number'], ['name', 'text pin'], ...(data.labels ? [['label', 'label']] : []), [labels ? 'η²' : 'r', 'number'],
    ...(labels ? [['highest in', 'label']] : []), ['p', 'number'], ['FDR', 'number']];
  const rows = first.map((i, place) => [String(place + 1), rowLink(i), ...(data.labels ? [textCell(labelOf(data, i))] : []),
    facts.effect[i].toFixed(4), ...(labels ? [textCell(p.kinds[facts.top[i] - 1] || '')] : []),
    small(facts.p[i]), small(q(facts.p[i]))]);
  const note = (labels ? 'η²: the share of the variance that the classes explain; p: one-way analysis of variance. '
    : 'r: Pearson’s correlation; p: two-sided. ') +
    'FDR: by Benjamini and Hochberg, of all rows. Computed from the values before they were rounded.';
  $('going-with').replaceChildren(make('h3', { class: 'on-paper' }, shorten(p.name, 60)),
    rows.length > 0 ? makeTable('Rows that go with it, first the smallest p', head, rows) : make('p', {}, 'No row can be tested.'),
    make('p', { class: 'quiet' }, note),
    ...(rows.length > 0 ? [button('Select these', () => select(first, null))] : []));
}

// ---- the foot -----------------------------------------------------------------------------------------------------------
function showFoot() {
  const { data } = page;
  const line = (...inside) => make('p', {}, ...inside);
  const size = [`${data.n} ${data.n === 1 ? 'row' : 'rows'}, ${data.entries} neighbours`,
    data.samples > 0 ? `${data.samples} ${data.samples === 1 ? 'sample' : 'samples'}` : '', data.metric];
  const lines = [line(size.filter((part) => part).join(', ')), aloneLine(), ...data.search.map((text) => line(text)), checksumLine(),
    line('made by ', make('code', { id: 'call' }, data.call), `, knng ${data.version}`)];
  if (data.values) {
    const steps = data.values.precision === 'fine' ? 65535 : 255;
    lines.push(line(`values are rounded to ${steps} steps a row: at most ${digits(100 * data.worst[0], 2)} % of its range off; ` +
      'neighbours, distances, r, p and FDR are not rounded but for the digits shown'));
  }
  lines.push(line('This page asks nothing of any network, and its policy allows it none.'));
  $('foot').replaceChildren(...lines);
}

// How many rows have no neighbours, and a way to them.
function aloneLine() {
  const { data } = page;
  const rows = Array.from(data.count.keys()).filter((i) => data.count[i] === 0);
  if (rows.length === 0) {
    return make('p', { class: 'alone' }, 'every row has neighbours');
  }
  const said = `${rows.length} of the ${data.n} rows ${rows.length === 1 ? 'has' : 'have'} no neighbours `;
  return make('p', { class: 'alone' }, said, button(rows.length === 1 ? 'Select it' : 'Select these', () => {
    select(rows, null);
    $('selection-part').scrollIntoView({ block: 'nearest' });
  }, { 'aria-label': 'Select the rows without neighbours' }));
}

function checksumLine() {
  const { data } = page;
  const said = make('span', { id: 'check', role: 'status' });
  const again = button('Compute it again', async () => {
    again.disabled = true;
    said.textContent = ' computing …';
    const sum = await checksumOf(data);
    const same = sum === data.checksum;
    said.textContent = same ? ' It is that of the graph on this page.' : ' The graph on this page has another one: ' + sum;
    again.disabled = false;
  });
  return make('p', {}, 'checksum (knng.checksum): ', make('code', { id: 'checksum' }, data.checksum), ' ', again, said);
}
