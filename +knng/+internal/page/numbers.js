// numbers.js  What the page computes: p-values, false discovery rates, who lists whom, searches for names, paths, what
// lies in a polygon, orders of rows, checksums. Nothing here touches the page.

// ---- p-values ---------------------------------------------------------------------------------------------------------
// The logarithm of the gamma function, by Lanczos' sum (g = 7, nine terms), right to some 15 digits.
const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

function logGamma(x) {
  let sum = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) {
    sum += LANCZOS[i] / (x - 1 + i);
  }
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

// The regularised incomplete beta function of x, where y = 1 - x without a difference, by its continued fraction
// (Lentz's method). logBeta is that of a and b.
function betaTail(x, y, a, b, logBeta) {
  if (x <= 0) {
    return 0;
  }
  if (y <= 0) {
    return 1;
  }
  if (x > (a + 1) / (a + b + 2)) {
    return 1 - betaTail(y, x, b, a, logBeta);
  }
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny);
  let h = d;
  for (let m = 1; m < 500; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d, tiny);
    c = nonzero(1 + even / c, tiny);
    h *= d * c;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d, tiny);
    c = nonzero(1 + odd / c, tiny);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) {
      break;
    }
  }
  return Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta) / a * h;
}

function nonzero(v, tiny) {
  return Math.abs(v) < tiny ? tiny : v;
}

// A function that gives the two-sided p-value of a correlation of so many samples from the distance of its pair, as
// knng.internal.correlation_p does. Of spearman `ranks` has tables of exact ones.
function correlationTest(samples, ranks) {
  if (samples < 3) {
    return () => 1;
  }
  const exact = ranks?.find((table) => table.samples === samples);
  if (exact) {
    return (d) => exact.p[rankStep(d, exact.p.length - 1)];
  } else if (ranks) {
    const t = correlationTest(samples);
    const least = Math.exp(Math.log(2) - logGamma(samples + 1));
    return (d) => Math.max(t(d), least);
  }
  const a = (samples - 2) / 2;
  const logBeta = logGamma(a) + logGamma(0.5) - logGamma(a + 0.5);
  return (d) => betaTail(tailOf(d), Math.min((1 - d) * (1 - d), 1), a, 0.5, logBeta);
}

// Half the sum of squared differences of ranks that has the distance d: a whole number without ties, up to rounding.
function rankStep(d, most) {
  const s = d * most / 2;
  return Math.min(Math.max(d > 1 ? Math.ceil(s - 0.01) : Math.floor(s + 0.01), 0), most);
}

// A function that gives the p-value of the pair of an entry; null where there is none. A pair of rows with missing
// values has its own number of samples.
function entryTest(data) {
  if (data.correlation === 0 || data.samples < 3) {
    return null;
  }
  const tests = new Map();
  const of = (samples) => {
    if (!tests.has(samples)) {
      tests.set(samples, correlationTest(samples, data.ranks));
    }
    return tests.get(samples);
  };
  return (e) => of(data.shared ? data.shared[e] : data.samples)(pairDistance(data, e));
}

// 1 - r^2, which p grows with.
function tailOf(d) {
  return Math.min(Math.max(d * (2 - d), 0), 1);
}

// ---- the graph --------------------------------------------------------------------------------------------------------
// Who lists a row: data.inStart, data.inEntry (entries of the graph), data.from (whose entry each is); data.back is the
// entry of the opposite direction, or -1. data.hub: how many other rows list a row;
// data.byHub: the rows, those first that most list.
function turnAround(data) {
  const { n, entries, start, idx } = data;
  const counts = new Uint32Array(n);
  data.from = new Uint32Array(entries);
  for (let i = 0; i < n; i++) {
    data.from.fill(i, start[i], start[i + 1]);
  }
  for (let e = 0; e < entries; e++) {
    counts[idx[e]]++;
  }
  data.hub = counts.slice();                                  // a row that lists itself does not count
  for (let e = 0; e < entries; e++) {
    data.hub[idx[e]] -= idx[e] === data.from[e] ? 1 : 0;
  }
  data.byHub = largestFirst(data.hub);
  data.inStart = sums(counts);
  data.inEntry = new Uint32Array(entries);
  const next = data.inStart.slice();
  for (let e = 0; e < entries; e++) {
    data.inEntry[next[idx[e]]++] = e;
  }
  data.back = new Int32Array(entries).fill(-1);
  const mark = new Int32Array(n).fill(-1);                     // the entry of row i that leads there
  for (let i = 0; i < n; i++) {
    for (let e = start[i]; e < start[i + 1]; e++) {
      mark[idx[e]] = e;
    }
    for (let t = data.inStart[i]; t < data.inStart[i + 1]; t++) {
      const e = mark[data.from[data.inEntry[t]]];
      if (e >= start[i] && e < start[i + 1]) {
        data.back[e] = data.inEntry[t];
      }
    }
  }
}

// Where the largest of such counts stand, and so on; of equal ones the first.
function largestFirst(counts) {
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const of = new Uint32Array(most + 1);
  counts.forEach((count) => { of[most - count]++; });
  const next = sums(of);
  const order = new Uint32Array(counts.length);
  counts.forEach((count, i) => { order[next[most - count]++] = i; });
  return order;
}

// The distance of the pair of an entry: the smaller one, where the two directions differ.
function pairDistance(data, e) {
  const back = data.back[e];
  return back >= 0 && data.dist[back] < data.dist[e] ? data.dist[back] : data.dist[e];
}

// How many pairs were tested: all pairs of rows that have edges.
function testsOf(data) {
  let rows = 0;
  for (let i = 0; i < data.n; i++) {
    rows += data.count[i] > 0 || data.hub[i] > 0;
  }
  return rows * (rows - 1) / 2;
}

// A function that gives the false discovery rate of an entry, as knng.edges does: of all pairs in order of p the least
// p * tests / rank from there on. It takes a while, and lets others work meanwhile.
async function falseRates(data, test) {
  const sorted = (await pairTests(data, test)).sort();
  const q = new Float64Array(sorted.length);
  const tests = testsOf(data);
  let least = 1;
  for (let r = sorted.length - 1; r >= 0; r--) {
    least = Math.min(least, sorted[r] * tests / (r + 1));
    q[r] = least;
  }
  return (e) => q[firstFrom(sorted, test(e))];
}

// The p-values of all pairs, each once.
async function pairTests(data, test) {
  const all = new Float64Array(data.entries);
  let count = 0;
  for (let e = 0; e < data.entries; e++) {
    if (data.idx[e] !== data.from[e] && (data.back[e] < 0 || e < data.back[e])) {
      all[count++] = test(e);
    }
    if (e % 20000 === 0) {
      await pause();
    }
  }
  return all.slice(0, count);
}

function pause() {
  return new Promise((done) => setTimeout(done, 0));
}

// The first place in a sorted array that holds v or more.
function firstFrom(sorted, v) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < v) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Of p-values, of which those that are NaN are no tests: first, where the `most` smallest stand, in order; q(v), Benjamini
// and Hochberg's rate of one.
function ratesOf(p, most) {
  const sorted = p.filter((v) => !Number.isNaN(v)).sort();
  const rates = new Float64Array(sorted.length);
  let least = 1;
  for (let r = sorted.length - 1; r >= 0; r--) {
    least = Math.min(least, sorted[r] * sorted.length / (r + 1));
    rates[r] = least;
  }
  const limit = sorted[Math.min(most, sorted.length) - 1];
  const first = Array.from(p.keys()).filter((i) => p[i] <= limit).sort((a, b) => p[a] - p[b] || a - b).slice(0, most);
  return { first, q: (v) => rates[firstFrom(sorted, v)] };
}

// The rows of a path of fewest edges from a to b, in either direction, and of those one of the least sum of distances;
// null where there is none.
function pathBetween(data, a, b) {
  const steps = new Int32Array(data.n).fill(-1);
  const far = new Float64Array(data.n);
  const before = new Int32Array(data.n).fill(-1);
  let front = [a];
  steps[a] = 0;
  for (let step = 1; front.length > 0 && steps[b] < 0; step++) {
    const next = [];
    for (const i of front) {
      eachEdge(data, i, (j, d) => {
        if (steps[j] < 0) {
          steps[j] = step;
          next.push(j);
          far[j] = Infinity;
        }
        if (steps[j] === step && far[i] + d < far[j]) {
          far[j] = far[i] + d;
          before[j] = i;
        }
      });
    }
    front = next;
  }
  if (steps[b] < 0) {
    return null;
  }
  const path = [b];
  while (path[0] !== a) {
    path.unshift(before[path[0]]);
  }
  return path;
}

// Calls use(j, distance) for each row that i lists or that lists i; a row of both kinds comes twice.
function eachEdge(data, i, use) {
  for (let e = data.start[i]; e < data.start[i + 1]; e++) {
    use(data.idx[e], pairDistance(data, e));
  }
  for (let t = data.inStart[i]; t < data.inStart[i + 1]; t++) {
    const e = data.inEntry[t];
    use(data.from[e], pairDistance(data, e));
  }
}

// What the table of groups shows, largest first: rows, how many of their edges stay inside, how near its rows are to its
// centre (tight, a distance), and those nearest to it (central). Where the page has no centres, these are the mean
// distance of the edges inside, and the rows that others of the group list most (of as many, the nearer ones).
function describeGroups(data) {
  const groups = data.groups.map((name, g) => ({ number: g + 1, name, rows: [], inside: 0, edges: 0, sum: 0 }));
  const within = new Uint32Array(data.n);
  const near = new Float64Array(data.n);
  for (let i = 0; i < data.n; i++) {
    if (data.group[i] === 0) {
      continue;
    }
    const g = groups[data.group[i] - 1];
    g.rows.push(i);
    for (let e = data.start[i]; e < data.start[i + 1]; e++) {
      g.edges += data.idx[e] === i ? 0 : 1;
      if (data.idx[e] !== i && data.group[data.idx[e]] === data.group[i]) {
        g.inside++;
        g.sum += data.dist[e];
        within[data.idx[e]]++;
        near[data.idx[e]] += data.dist[e];
      }
    }
  }
  for (const g of groups) {
    const at = 3 * (g.number - 1);
    g.tight = data.tight ? data.tight[g.number - 1] : g.sum / g.inside;
    g.central = data.nearest ? Array.from(data.nearest.subarray(at, at + 3), (row) => row - 1).filter((i) => i >= 0)
      : g.rows.slice().sort((a, b) => within[b] - within[a] || near[a] - near[b] || a - b).slice(0, 3);
  }
  return groups.filter((g) => g.rows.length > 0).sort((a, b) => b.rows.length - a.rows.length || a.number - b.number);
}

// ---- rows without neighbours --------------------------------------------------------------------------------------------
// Why a row has none, as far as its values say: { missing, constant, zero } of factsOf, or null where there are none.
function whyAlone(data, facts) {
  if (!facts) {
    return data.correlation !== 0 || data.metric === 'cosine'
      ? 'The page has no values that would say why: rows with missing values have none, nor have rows whose values are all the same.'
      : 'The page has no values that would say why: rows with missing values have none.';
  } else if (facts.missing === data.samples) {
    return `All its values are ${missingWord(data)}.`;
  } else if (data.correlation !== 0 && facts.constant) {
    return 'Its values are all the same: then there is no correlation.';
  } else if (data.metric === 'cosine' && facts.zero) {
    return 'Its values are all 0: then there is no cosine.';
  } else if (facts.missing > 0 && data.shared) {
    return `${missingText(data, facts)}: the others are too few, or other rows do not have them.`;
  } else if (facts.missing > 0) {
    return `${missingText(data, facts)}: such rows take part in a search with 'Rows', 'pairwise' of knngraph.`;
  }
  return 'Its values do not say why: no row may be near enough, or its edges were left out of the graph.';
}

function factsOf(values) {
  const known = Array.from(values).filter((v) => !Number.isNaN(v));
  return { missing: values.length - known.length, constant: known.every((v) => v === known[0]), zero: known.every((v) => v === 0) };
}

function missingWord(data) {
  return data.values.infinite ? 'missing or infinite' : 'missing';
}

function missingText(data, facts) {
  return `${facts.missing} of its ${data.samples} values ${facts.missing === 1 ? 'is' : 'are'} ${missingWord(data)}`;
}

// ---- searching names --------------------------------------------------------------------------------------------------
// Every name and label in lower case, and which letters it has, a bit each.
function indexNames(data) {
  const texts = [];
  const rows = [];
  for (let i = 0; i < data.n; i++) {
    texts.push(nameOf(data, i).toLowerCase());
    rows.push(i);
    if (labelOf(data, i) !== '') {
      texts.push(labelOf(data, i).toLowerCase());
      rows.push(i);
    }
  }
  return { texts, rows, letters: Int32Array.from(texts, lettersOf) };
}

function lettersOf(text) {
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    bits |= 1 << (text.charCodeAt(i) & 31);
  }
  return bits;
}

function bitsOf(v) {
  let count = 0;
  for (; v !== 0; v &= v - 1) {
    count++;
  }
  return count;
}

// At most `most` rows whose name or label is the text, begins with it or has it inside, in this order; where there are
// none, those that are a few letters away: { rows, near }.
function searchNames(index, text, most) {
  const wanted = text.trim().toLowerCase();
  const kinds = [[], [], []];
  if (wanted === '') {
    return { rows: [], near: false };
  }
  for (let t = 0; t < index.texts.length; t++) {
    const at = index.texts[t].indexOf(wanted);
    if (at >= 0) {
      kinds[at > 0 ? 2 : index.texts[t].length > wanted.length ? 1 : 0].push(index.rows[t]);
    }
  }
  const rows = Array.from(new Set(kinds.flat())).slice(0, most);
  return rows.length > 0 ? { rows, near: false } : { rows: nearNames(index, wanted, most), near: true };
}

// Those that become the text by the fewest letters that are left out, put in, changed, or exchanged with the next. Once there
// are `most` rows of some number of them, only those of fewer can still be wanted, since of equal ones the first count.
function nearNames(index, wanted, most) {
  let few = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)));
  const letters = lettersOf(wanted);
  const found = [];
  const rows = [0, 0, 0, 0];                                  // that have been found at so many edits or fewer
  for (let t = 0; t < index.texts.length; t++) {
    if (Math.abs(index.texts[t].length - wanted.length) <= few && bitsOf(index.letters[t] ^ letters) <= 2 * few) {
      const edits = editDistance(index.texts[t], wanted, few);
      if (edits <= few) {
        if (found.length === 0 || found[found.length - 1].row !== index.rows[t]) {
          for (let e = edits; e < 4; e++) {
            rows[e]++;
          }
        }
        found.push({ row: index.rows[t], edits });
        while (few >= 0 && rows[few] >= most) {
          few--;
        }
      }
    }
  }
  found.sort((a, b) => a.edits - b.edits || a.row - b.row);
  return Array.from(new Set(found.map((f) => f.row))).slice(0, most);
}

// How many such edits lead from a to b, which are at most `few` longer or shorter; where it is more than `few`, any
// number above that. Only places that are at most `few` apart can matter: beside them few + 1 stands for all.
const EDIT_ROWS = [0, 1, 2].map(() => new Int32Array(200));

function editDistance(a, b, few) {
  if (b.length + 2 > EDIT_ROWS[0].length) {
    return few + 1;
  }
  let [older, last, row] = EDIT_ROWS;
  for (let j = 0; j <= Math.min(few + 1, b.length); j++) {
    last[j] = j;
  }
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - few);
    const to = Math.min(b.length, i + few);
    let least = row[from - 1] = from === 1 ? i : few + 1;
    if (to === i + few) {
      last[to] = few + 1;
    }
    for (let j = from; j <= to; j++) {
      let edits = last[j - 1] + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      edits = Math.min(edits, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) {
        edits = Math.min(edits, older[j - 2] + 1);
      }
      row[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > few + 1) {
      return few + 1;
    }
    [older, last, row] = [last, row, older];
  }
  return last[b.length];
}

// ---- places -----------------------------------------------------------------------------------------------------------
// Whether a place is in a polygon, [x, y, x, y, ...]: a ray from it crosses an odd number of sides, as Octave's
// inpolygon has it.
function inPolygon(x, y, polygon) {
  let inside = false;
  const m = polygon.length / 2;
  for (let a = 0, b = m - 1; a < m; b = a++) {
    const [xa, ya, xb, yb] = [polygon[2 * a], polygon[2 * a + 1], polygon[2 * b], polygon[2 * b + 1]];
    if ((ya > y) !== (yb > y) && x < (xb - xa) * (y - ya) / (yb - ya) + xa) {
      inside = !inside;
    }
  }
  return inside;
}

// ---- rows of values ---------------------------------------------------------------------------------------------------
// A row less its mean, in standard deviations, of what is not missing; a constant row is 0, though its mean be rounded.
function standardize(values) {
  const known = values.filter((v) => !Number.isNaN(v));
  const scale = known.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1;   // so that squares stay finite
  const mean = known.reduce((sum, v) => sum + v / scale, 0) / known.length;
  const squares = known.reduce((sum, v) => sum + (v / scale - mean) ** 2, 0);
  const spread = known.every((v) => v === known[0]) ? 0 : Math.sqrt(squares / Math.max(known.length - 1, 1));
  return values.map((v) => Number.isNaN(v) ? NaN : spread > 0 ? (v / scale - mean) / spread : 0);
}

// The correlation of two standardized rows, over what both have.
function correlation(a, b) {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0];
  for (let j = 0; j < a.length; j++) {
    if (!Number.isNaN(a[j]) && !Number.isNaN(b[j])) {
      n++;
      sa += a[j];
      sb += b[j];
      saa += a[j] * a[j];
      sbb += b[j] * b[j];
      sab += a[j] * b[j];
    }
  }
  const r = (sab - sa * sb / n) / Math.sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
  return Number.isFinite(r) ? Math.max(-1, Math.min(1, r)) : NaN;
}

// An order of rows in which neighbours are alike: the leaves of average linkage over 1 - r, each two branches turned so
// that the ends that meet are the nearest of the four.
function clusterOrder(rows) {
  const m = rows.length;
  const far = rows.map(() => new Float64Array(m));
  for (let a = 0; a < m; a++) {
    for (let b = 0; b < a; b++) {
      const r = correlation(rows[a], rows[b]);
      far[a][b] = far[b][a] = Number.isNaN(r) ? 1 : 1 - r;
    }
  }
  const leaves = rows.map((row, a) => [a]);
  const between = far.map((row) => row.slice());
  const chain = [];                                           // each the nearest of the one before it
  for (let left = m; left > 1; left--) {
    let pair = null;
    while (!pair) {
      if (chain.length === 0) {
        chain.push(leaves.findIndex((branch) => branch !== null));
      }
      const last = chain[chain.length - 1];
      const before = chain[chain.length - 2];
      const next = nearestBranch(between[last], leaves, last, before);
      if (next === before) {
        chain.length -= 2;
        pair = [last, next];
      } else {
        chain.push(next);
      }
    }
    joinBranches(between, leaves, far, ...pair);
  }
  return leaves.find((branch) => branch !== null) || [];
}

// Among as near ones `before`, so that the chain ends.
function nearestBranch(far, leaves, own, before) {
  let best = before === undefined ? -1 : before;
  for (let b = 0; b < leaves.length; b++) {
    if (b !== own && leaves[b] !== null && (best < 0 || far[b] < far[best])) {
      best = b;
    }
  }
  return best;
}

// Branch b becomes part of a.
function joinBranches(between, leaves, far, a, b) {
  const [left, right] = [leaves[a], leaves[b]];
  for (let c = 0; c < leaves.length; c++) {
    if (leaves[c] !== null && c !== a && c !== b) {
      between[a][c] = between[c][a] = (between[a][c] * left.length + between[b][c] * right.length) / (left.length + right.length);
    }
  }
  const ends = (x, y) => far[x[x.length - 1]][y[0]];
  const turned = [left.slice().reverse(), right.slice().reverse()];
  const ways = [[left, right], [turned[0], right], [left, turned[1]], [turned[0], turned[1]]];
  const best = ways.reduce((x, y) => ends(...y) < ends(...x) ? y : x);
  leaves[a] = best[0].concat(best[1]);
  leaves[b] = null;
}

// ---- SHA-256 (FIPS 180-4), of the tables as knng.checksum has them ------------------------------------------------------
const ROUND = primes(64).map((p) => fraction(Math.cbrt(p)));

function primes(count) {
  const found = [];
  for (let p = 2; found.length < count; p++) {
    if (found.every((q) => p % q !== 0)) {
      found.push(p);
    }
  }
  return found;
}

// The first 32 bits behind the point.
function fraction(v) {
  return Math.floor((v - Math.floor(v)) * 2 ** 32) | 0;
}

class Sha256 {
  constructor() {
    this.h = Int32Array.from(primes(8), (p) => fraction(Math.sqrt(p)));
    this.w = new Int32Array(64);
    this.rest = new Uint8Array(64);
    this.bytes = 0;
  }

  add(bytes) {
    for (let i = 0; i < bytes.length; i++) {
      this.rest[this.bytes++ % 64] = bytes[i];
      if (this.bytes % 64 === 0) {
        this.block();
      }
    }
  }

  block() {
    const { h, w, rest } = this;
    for (let t = 0; t < 16; t++) {
      w[t] = rest[4 * t] << 24 | rest[4 * t + 1] << 16 | rest[4 * t + 2] << 8 | rest[4 * t + 3];
    }
    for (let t = 16; t < 64; t++) {
      const a = w[t - 15];
      const b = w[t - 2];
      w[t] = w[t - 16] + w[t - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >>> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >>> 10);
    }
    let [a, b, c, d, e, f, g, k] = h;
    for (let t = 0; t < 64; t++) {
      const one = k + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + ROUND[t] + w[t] | 0;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      k = g;
      g = f;
      f = e;
      e = d + one | 0;
      d = c;
      c = b;
      b = a;
      a = one + two | 0;
    }
    [a, b, c, d, e, f, g, k].forEach((v, i) => { h[i] += v; });
  }

  hex() {
    const bits = this.bytes * 8;
    const end = new Uint8Array(this.bytes % 64 < 56 ? 64 - this.bytes % 64 : 128 - this.bytes % 64);
    const view = new DataView(end.buffer);
    end[0] = 0x80;
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits >>> 0);
    this.add(end);
    return Array.from(this.h, (v) => (v >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

function turn(v, bits) {
  return v >>> bits | v << 32 - bits;
}

// The checksum of the graph that the page holds: of n and k, and row by row the indices and the distances.
async function checksumOf(data) {
  const k = data.count.reduce((a, b) => Math.max(a, b), 0);
  const sha = new Sha256();
  const row = new DataView(new ArrayBuffer(16 * k));
  const head = new DataView(new ArrayBuffer(16));
  head.setBigInt64(0, BigInt(data.n), true);
  head.setBigInt64(8, BigInt(k), true);
  sha.add(new Uint8Array(head.buffer));
  for (let i = 0; i < data.n; i++) {
    for (let c = 0; c < k; c++) {
      const e = data.start[i] + c;
      const there = c < data.count[i];
      row.setUint32(8 * c, there ? data.idx[e] + 1 : 0, true);
      row.setUint32(8 * c + 4, 0);
      if (there) {
        row.setFloat64(8 * (k + c), data.dist[e], true);
      } else {
        row.setBigUint64(8 * (k + c), 0x7FF8000000000000n, true);
      }
    }
    sha.add(new Uint8Array(row.buffer));
    if (i % 2000 === 0) {
      await pause();
    }
  }
  return sha.hex();
}
