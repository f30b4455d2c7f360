'use strict';
// data.js  What the page carries, and how it is read.
//
// A block is a <script id="data-NAME"> that no browser runs: base64 of gzip, in which a number of several bytes lies
// byte by byte, first the first bytes of all, then their second bytes, and so on. knng.internal.page_blocks writes them:
//
//   shell    the file without what is in its blocks, its script and the hash of that
//   body     the markup of the page; style: its style
//   meta     JSON: n rows, entries of the graph, samples (0: no data set), metric, correlation (r = correlation times
//            1 - distance; 0: none), ranks (of spearman: samples and p of each table, knng.internal.rank_p), groups, noise (how many rows),
//            phenotypes, values, checksum, version, call, search, title; colours and shapes of groups, the scale of values (knng.internal.page_colours)
//   count    how many neighbours each row has; idx, dist: all neighbours, row by row, from 1, and their distances
//   shared   of each neighbour how many samples its two rows share, where rows have missing values
//   names, labels, samples    texts, each with a 0 behind it; a page may do without
//   xy       places, two a row; groups: the number of each row's group, 0 for none
//   tight    of each group the mean distance of its rows from its centre; nearest: the three rows nearest to it, 0 behind
//            the last (knng.internal.group_centres)
//   low, step, values1, values2, ...   value j of row i is low[i] + code * step[i]; the largest code is a missing value
//   gramrows, gramcolumns   the rows, or the groups, and the samples, from 1, as they stand in the clustergram; gramsteps1, gramheights1,
//            gramsteps2, gramheights2   the trees of rows and of samples: each step joins what ends at a place, from 1, with what begins
//            at the next one, at a height (knng.internal.page_trees)
//   effect1, p1, top1, ...    of each phenotype, a number for each row (knng.internal.association)
//
// A changed character is found everywhere. Gzip ends in a checksum. The browser finds one in the script, by the hash in the
// policy: then no script runs, and the first line of the file, which says so, stays. The few lines around script and
// blocks are compared with the block shell.

class Damage extends Error {}

// The bytes of a text as knng writes it: blanks, and bits behind the last byte, which decoders pass over, are none.
function bytesOfBase64(text) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : bytesOfPlain(atob(text));
  const last = bytes.subarray(Math.floor((bytes.length - 1) / 3) * 3);
  if (text.length !== 4 * Math.ceil(bytes.length / 3) || text.slice(-4) !== btoa(String.fromCharCode(...last))) {
    throw new Damage('base64');
  }
  return bytes;
}

function bytesOfPlain(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

// What gzip has in front, which its checksum does not count.
const GZIP = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];

function packedBytes(text) {
  const bytes = bytesOfBase64(text);
  if (GZIP.some((byte, i) => bytes[i] !== byte)) {
    throw new Damage('gzip');
  }
  return bytes;
}

// The bytes of a block; null where the page has none.
async function unpack(name) {
  const element = document.getElementById('data-' + name);
  if (!element) {
    return null;
  }
  try {
    const gunzip = new DecompressionStream('gzip');
    const writer = gunzip.writable.getWriter();
    const written = [writer.write(packedBytes(element.textContent)), writer.close()];
    written.forEach((done) => done.catch(() => {}));          // the reader hears of it
    return new Uint8Array(await new Response(gunzip.readable).arrayBuffer());
  } catch (error) {
    throw new Damage(name);
  }
}

async function unpackText(name) {
  const bytes = await unpack(name);
  if (!bytes) {
    throw new Damage(name);
  }
  return new TextDecoder().decode(bytes);
}

// The numbers of a block, an array of the class `type`, of `length` numbers where that is said.
async function unpackNumbers(name, type, length) {
  const bytes = await unpack(name);
  if (!bytes) {
    return null;
  }
  const width = type.BYTES_PER_ELEMENT;
  const count = bytes.length / width;
  if (length !== undefined && count !== length) {
    throw new Damage(name);
  }
  if (width < 4) {
    return width === 1 ? bytes : Uint16Array.from({ length: count }, (unused, i) => bytes[i] | bytes[count + i] << 8);
  }
  const words = new Uint32Array(bytes.length / 4);
  const step = width / 4;
  for (let part = 0; part < step; part++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((place) => bytes.subarray((4 * part + place) * count, (4 * part + place + 1) * count));
    for (let i = 0; i < count; i++) {
      words[step * i + part] = a[i] | b[i] << 8 | c[i] << 16 | d[i] << 24;
    }
  }
  return new type(words.buffer);
}

async function unpackTexts(name, length) {
  const bytes = await unpack(name);
  if (!bytes) {
    return null;
  }
  const texts = new TextDecoder().decode(bytes).split('\0');
  texts.pop();
  if (texts.length !== length) {
    throw new Damage(name);
  }
  return texts;
}

// ---- the file around the blocks -----------------------------------------------------------------------------------------
// Whether the browser has found what was written. It may have more: extensions add elements and attributes, but no bare
// text, nor attributes that have such names as half a tag has.
async function checkShell() {
  const whole = new DOMParser().parseFromString(await unpackText('shell'), 'text/html');
  if (document.compatMode !== 'CSS1Compat' || document.characterSet !== 'UTF-8' ||
      !holds(document.documentElement, whole.documentElement)) {
    throw new Damage('frame');
  }
}

const withoutHash = (text) => text.replace(/'sha256-[^']*'/, "'sha256-'");

function holds(element, wanted) {
  const told = ['TITLE', 'P'].includes(wanted.nodeName);
  if (element.nodeName !== wanted.nodeName || (told && element.textContent !== wanted.textContent) ||
      Array.from(element.attributes).some((a) => /[<"'=]/.test(a.name)) ||
      Array.from(wanted.attributes).some((a) => withoutHash(element.getAttribute(a.name) ?? '\0') !== a.value)) {
    return false;
  }
  if (told || wanted.nodeName === 'SCRIPT') {
    return true;
  }
  let at = 0;
  for (const child of element.children) {
    at += at < wanted.children.length && holds(child, wanted.children[at]) ? 1 : 0;
  }
  return at === wanted.children.length &&
    Array.from(element.childNodes).every((node) => node.nodeType !== Node.TEXT_NODE || node.data.trim() === '');
}

// The style and the markup of the page, behind its first line.
async function buildPage() {
  const style = new CSSStyleSheet();
  style.replaceSync(await unpackText('style'));
  document.adoptedStyleSheets = [style];
  const made = new DOMParser().parseFromString(await unpackText('body'), 'text/html');
  document.getElementById('all')?.remove();                   // of a page that a browser has saved as it was
  document.getElementById('status').after(...made.body.children);
}

// All that the page needs at once; the values follow (readValues).
async function readData() {
  const data = JSON.parse(await unpackText('meta'));
  const n = data.n;
  [data.count, data.idx, data.dist, data.shared, data.names, data.labels, data.sampleNames, data.xy, data.group, data.tight,
    data.nearest] = await Promise.all([
    unpackNumbers('count', Uint32Array, n),
    unpackNumbers('idx', Uint32Array, data.entries),
    unpackNumbers('dist', Float64Array, data.entries),
    unpackNumbers('shared', Uint32Array, data.entries),
    unpackTexts('names', n),
    unpackTexts('labels', n),
    unpackTexts('samples', data.samples),
    unpackNumbers('xy', Float32Array, 2 * n),
    unpackNumbers('groups', Uint32Array, n),
    unpackNumbers('tight', Float64Array, data.groups?.length),
    unpackNumbers('nearest', Uint32Array, data.groups && 3 * data.groups.length),
  ]);
  if (!data.count || !data.idx || !data.dist || (data.groups && !data.group)) {
    throw new Damage('graph');
  }
  data.start = sums(data.count);
  if (data.start[n] !== data.entries) {
    throw new Damage('count');
  }
  for (let e = 0; e < data.entries; e++) {
    data.idx[e]--;                                            // rows count from 0 here, and from 1 on the page
  }
  data.phenotypes = data.phenotypes || [];
  if (data.values) {
    data.values.low = await unpackNumbers('low', Float64Array, n);
    data.values.step = await unpackNumbers('step', Float64Array, n);
    data.values.blocks = [];
  }
  if (data.gram) {
    await readGram(data);
  }
  return data;
}

// The trees of the clustergram. What stands there is all there is, each once.
async function readGram(data) {
  const { gram } = data;
  const counts = [gram.leaves, data.samples];
  const each = (name, count) => unpackNumbers(name, Uint32Array, count).then((numbers) => {
    if (!numbers || new Set(numbers).size !== count || numbers.some((v) => v < 1 || v > count)) {
      throw new Damage(name);
    }
    return numbers;
  });
  gram.rows = await each('gramrows', counts[0]);
  gram.columns = await each('gramcolumns', counts[1]);
  gram.steps = await Promise.all(counts.map((count, i) => each('gramsteps' + (i + 1), count - 1)));
  gram.heights = await Promise.all(counts.map((count, i) => unpackNumbers('gramheights' + (i + 1), Float32Array, count - 1)));
}

// Where each row begins, and behind the last one the number of all.
function sums(count) {
  const start = new Uint32Array(count.length + 1);
  for (let i = 0; i < count.length; i++) {
    start[i + 1] = start[i] + count[i];
  }
  return start;
}

// The codes of the block of values that has a row, read once.
function valueBlock(data, row) {
  const v = data.values;
  const b = Math.floor(row / v.rows);
  if (!v.blocks[b]) {
    const rows = Math.min(v.rows, data.n - b * v.rows);
    const type = v.precision === 'fine' ? Uint16Array : Uint8Array;
    v.blocks[b] = unpackNumbers('values' + (b + 1), type, rows * data.samples).then((codes) => {
      if (!codes) {
        throw new Damage('values');
      }
      v.blocks[b].codes = codes;
      return codes;
    });
  }
  return v.blocks[b];
}

// All of them, a few at a time, since each is in memory three times while it is read.
async function readValues(data) {
  const step = 4 * data.values.rows;
  for (let first = 0; first < data.n; first += step) {
    const some = [];
    for (let row = first; row < Math.min(first + step, data.n); row += data.values.rows) {
      some.push(valueBlock(data, row));
    }
    await Promise.all(some);
  }
}

// The values of a row, rounded as they are kept, NaN where one is missing; its block has been read.
function valuesOf(data, row) {
  const v = data.values;
  const block = Math.floor(row / v.rows);
  const codes = v.blocks[block].codes;
  const missing = v.precision === 'fine' ? 65535 : 255;
  const from = (row - block * v.rows) * data.samples;
  const out = new Float64Array(data.samples);
  for (let j = 0; j < out.length; j++) {
    const code = codes[from + j];
    out[j] = code === missing ? NaN : v.low[row] + code * v.step[row];
  }
  return out;
}

// The rows that a row lists, nearest first.
function neighboursOf(data, row) {
  return Array.from(data.idx.subarray(data.start[row], data.start[row + 1]));
}

// ---- names ------------------------------------------------------------------------------------------------------------
// Empty names show as the number of the row.
function nameOf(data, row) {
  const name = data.names ? data.names[row] : '';
  return name === '' ? String(row + 1) : name;
}

function labelOf(data, row) {
  return data.labels ? data.labels[row] : '';
}

// Where there is room for one name: the label, or the name of a row without one.
function shortName(data, row, letters = 24) {
  data.shownNames ??= Array.from({ length: data.n }, (unused, i) => labelOf(data, i) || nameOf(data, i));
  return shortOf(data.shownNames, row, letters);
}

function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : letters.slice(0, most - 1).join('') + '…';
}

// Text i of some, of at most so many letters: cut at its end, or where others would be the same then, so that they differ.
const CUT = new WeakMap();                                    // what has been cut, of texts and of letters

function shortOf(texts, i, most) {
  const text = texts[i];
  if (text.length <= most) {
    return text;
  }
  if (!CUT.has(texts)) {
    CUT.set(texts, new Map());
  }
  const known = CUT.get(texts);
  if (!known.has(most)) {
    known.set(most, cutApart(texts, most));
  }
  return known.get(most).get(text) ?? text;
}

// A map from each text that is too long to a short one, none of which two have: what is left of the text without its end; or without its middle; or its
// beginning and what comes from the word on in which they differ; or its beginning and its number.
function cutApart(texts, most) {
  const cut = new Map();
  const long = new Map();
  texts.forEach((text, i) => {
    if (text.length > most && !long.has(text)) {
      const letters = Array.from(text);
      if (letters.length > most) {
        long.set(text, { text, letters, number: i + 1 });
      }
    }
  });
  const begin = (t, count) => t.letters.slice(0, Math.max(count, 0)).join('') + '…';
  const tail = Math.floor((most - 1) / 2);
  const ways = [(t) => begin(t, most - 1), (t) => begin(t, most - 1 - tail) + t.letters.slice(t.letters.length - tail).join(''),
    (t, alike) => begin(t, Math.floor((most - 2) / 3)) + wordAt(t.letters, alike, most - 2 - Math.floor((most - 2) / 3)),
    (t) => begin(t, most - 3 - String(t.number).length) + `(${t.number})`];
  let classes = [Array.from(long.values())];
  const taken = new Set(texts);
  for (const way of ways) {
    const found = new Map();
    for (const one of classes) {
      const alike = sameLetters(one.map((t) => t.letters));
      for (const t of one) {
        const short = way(t, alike);
        if (!found.has(short)) {
          found.set(short, []);
        }
        found.get(short).push(t);
      }
    }
    classes = [];
    found.forEach((those, short) => {
      if (those.length === 1 && !taken.has(short)) {
        taken.add(short);
        cut.set(those[0].text, short);
      } else {
        classes.push(those);
      }
    });
  }
  classes.flat().forEach((t) => cut.set(t.text, begin(t, most - 1)));
  return cut;
}

// How many letters all have in common at their beginning.
function sameLetters(all) {
  return all.reduce((most, letters) => {
    let same = 0;
    while (same < most && letters[same] === all[0][same]) {
      same++;
    }
    return same;
  }, all[0]?.length ?? 0);
}

// So many letters around a place, from the beginning of its word where that is near.
function wordAt(letters, place, count) {
  let from = place;
  while (from > Math.max(place - count / 2, 0) && letters[from - 1].trim() !== '') {
    from--;
  }
  return letters.slice(from, from + count).join('') + (from + count < letters.length ? '…' : '');
}

function groupName(data, group) {
  return group > 0 ? data.groups[group - 1] : 'none';
}

function sampleName(data, j) {
  return (data.sampleNames && data.sampleNames[j]) || 'sample ' + (j + 1);
}

function shortSample(data, j, letters) {
  data.shownSamples ??= Array.from({ length: data.samples }, (unused, s) => sampleName(data, s));
  return shortOf(data.shownSamples, j, letters);
}

function shortGroup(data, group, letters) {
  return group > 0 ? shortOf(data.groups, group - 1, letters) : groupName(data, group);
}
