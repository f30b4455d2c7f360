'use strict';
// data.js  What the page carries, and how it is read.
//
// A block is a <script id="data-NAME"> that no browser runs: base64 of gzip, in which a number of several bytes lies
// byte by byte, first the first bytes of all, then their second bytes, and so on. knng.internal.page_blocks writes them:
//
//   meta     JSON: n rows, entries of the graph, samples (0: no data set), metric, correlation (r = correlation times
//            1 - distance; 0: none), groups, phenotypes, values, checksum, version, call, search, title
//   count    how many neighbours each row has; idx, dist: all neighbours, row by row, from 1, and their distances
//   shared   of each neighbour how many samples its two rows share, where rows have missing values
//   names, labels, samples    texts, each with a 0 behind it; a page may do without
//   xy       places, two a row; groups: the number of each row's group, 0 for none
//   tight    of each group the mean distance of its rows from its centre; nearest: the three rows nearest to it, 0 behind
//            the last (knng.internal.group_centres)
//   low, step, values1, values2, ...   value j of row i is low[i] + code * step[i]; the largest code is a missing value
//   effect1, p1, top1, ...    of each phenotype, a number for each row (knng.internal.association)
//
// Gzip ends in a checksum, so that a changed character is always found.

class Damage extends Error {}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) {
    return Uint8Array.fromBase64(text);
  }
  const plain = atob(text);
  const bytes = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) {
    bytes[i] = plain.charCodeAt(i);
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
    const written = [writer.write(bytesOfBase64(element.textContent)), writer.close()];
    written.forEach((done) => done.catch(() => {}));          // the reader hears of it
    return new Uint8Array(await new Response(gunzip.readable).arrayBuffer());
  } catch (error) {
    throw new Damage(name);
  }
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
  const out = new Uint8Array(bytes.length);
  for (let b = 0; b < width; b++) {
    for (let i = 0, from = b * count, to = b; i < count; i++, to += width) {
      out[to] = bytes[from + i];
    }
  }
  return new type(out.buffer);
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

// All that the page needs at once; the values follow (readValues).
async function readData() {
  const meta = await unpack('meta');
  if (!meta) {
    throw new Damage('meta');
  }
  const data = JSON.parse(new TextDecoder().decode(meta));
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
  return data;
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

function shortName(data, row) {
  return shorten(labelOf(data, row) || nameOf(data, row), 24);
}

function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : letters.slice(0, most - 1).join('') + '…';
}

function groupName(data, group) {
  return group > 0 ? data.groups[group - 1] : 'none';
}

function sampleName(data, j) {
  return (data.sampleNames && data.sampleNames[j]) || 'sample ' + (j + 1);
}
