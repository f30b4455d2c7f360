// gram.js  The clustergram: all rows, or the means of groups, as a heat map between the trees of its rows and samples. Cells are written as
// pixels; where several share one it has the colour of their mean.

// A tree of stretches of places: step s joins what ends at the place gaps[s], from 1, with what begins at the next one, at heights[s]. Nodes are
// the places, from 0, then the steps: { count, first, last, at: the middle, high, left, right } of each.
function treeOf(gaps, heights) {
  const count = gaps.length + 1;
  const make = (type) => new type(2 * count - 1);
  const tree = { count, first: make(Int32Array), last: make(Int32Array), at: make(Float64Array), high: make(Float64Array), left: make(Int32Array),
    right: make(Int32Array) };
  const begins = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    tree.first[i] = tree.last[i] = begins[i] = ends[i] = i;
    tree.at[i] = i + 0.5;
  }
  gaps.forEach((gap, s) => {
    const node = count + s;
    const [a, b] = [ends[gap - 1], begins[gap]];
    [tree.left[node], tree.right[node]] = [a, b];
    tree.first[node] = tree.first[a];
    tree.last[node] = tree.last[b];
    tree.at[node] = (tree.at[a] + tree.at[b]) / 2;
    tree.high[node] = heights[s];
    begins[tree.first[node]] = ends[tree.last[node]] = node;
  });
  return tree;
}

// The largest branch around a place that is no higher than `high`.
function branchAt(tree, place, high) {
  let node = 2 * tree.count - 2;
  while (node >= tree.count && tree.high[node] > high) {
    node = place <= tree.last[tree.left[node]] ? tree.left[node] : tree.right[node];
  }
  return node;
}

// The places of one direction that are in sight: from `from`, `shown` of `count`, over `room` pixels.
class Axis {
  constructor(count) {
    Object.assign(this, { count, from: 0, shown: count, room: 1 });
  }

  get size() { return this.room / this.shown; }

  pixel(place) { return (place - this.from) * this.size; }

  place(pixel) { return this.from + pixel / this.size; }

  to(from, shown) {
    this.shown = Math.min(Math.max(shown, Math.min(3, this.count)), this.count);
    this.from = Math.min(Math.max(from, 0), this.count - this.shown);
  }

  move(pixels) { this.to(this.from - pixels / this.size, this.shown); }

  // Larger by a factor; what is at the pixel stays there.
  zoom(factor, pixel = this.room / 2) {
    const place = this.place(pixel);
    this.to(place - (place - this.from) / factor, this.shown / factor);
  }

  // The places first, ..., last - 1 that each of so many pixels shows: { first, last }.
  bins(pixels) {
    const at = (p) => Math.min(Math.floor(this.from + p / pixels * this.shown + 1e-9), this.count - 1);
    const first = Int32Array.from({ length: pixels }, (unused, p) => at(p));
    return { first, last: first.map((f, p) => Math.max(f + 1, at(p + 1))) };
  }

  // The places in sight one by one, or where they have less than a pixel those of each: { first, last }, the first one `at` a pixel, each `step` large.
  cells() {
    if (this.shown > this.room) {
      const pixels = Math.round(this.room);
      return { ...this.bins(pixels), at: 0, step: this.room / pixels };
    }
    const from = Math.floor(this.from + 1e-9);
    const end = Math.min(Math.ceil(this.from + this.shown - 1e-9), this.count);
    const first = Int32Array.from({ length: end - from }, (unused, p) => from + p);
    return { first, last: first.map((f) => f + 1), at: this.pixel(from), step: this.size };
  }
}

const MOST_BARS = 8;
const BAR = 11;                                               // pixels of a bar
const LINE = 13;                                              // of a name
const MOST_SPREAD = 2.5;                                      // standard deviations that have the last colours
const NO_CODE = 255;

// codes: of each cell, line by line as they are shown, 0 for the lowest colour, 250 for the highest one, 255 for none.
class Clustergram extends Drawing {
  constructor(canvas, data, codes) {
    super(canvas);
    const { gram } = data;
    Object.assign(this, { data, codes, gram, members: [] });
    page.groupList?.forEach((g) => { this.members[g.number] = g.rows; });
    this.trees = [0, 1].map((i) => treeOf(gram.steps[i], gram.heights[i]));
    this.axes = this.trees.map((tree) => new Axis(tree.count));         // rows, samples
    this.bars = data.phenotypes.slice(0, MOST_BARS).map((by) => ({ by, colour: coloursOf(by) }));
    this.barNames = this.bars.map(({ by }) => by.name);
    this.grouped = Boolean(data.groups) && gram.of === 'rows';
    this.palette = Uint32Array.from({ length: 256 }, (unused, c) => pixelOf(scaleColour(c > 250 ? NaN : c / 125 - 1)));
    this.placeOf = new Int32Array(Math.max(data.n, gram.leaves) + 1).fill(-1);
    gram.rows.forEach((leaf, place) => { this.placeOf[leaf] = place; });
    this.hovered = -1;                                        // a place
    this.branch = null;                                       // { side, node } below the mouse
    this.names = [];                                          // those that are shown, { place, y }
    this.picture = document.createElement('canvas');
    this.shown = '';                                          // which cells the picture has
    this.mark();
  }

  // The place of a row, of its group where these are shown; -1 for none.
  placeOfRow(row) {
    return row < 0 ? -1 : this.placeOf[this.gram.of === 'rows' ? row + 1 : this.data.group[row]];
  }

  rowsAt(place) {
    const leaf = this.gram.rows[place];
    return this.gram.of === 'rows' ? [leaf - 1] : this.members[leaf];
  }

  rowsOf(node) {
    const [tree] = this.trees;
    return Array.from({ length: tree.last[node] - tree.first[node] + 1 }, (unused, i) => this.rowsAt(tree.first[node] + i)).flat();
  }

  nameAt(place, letters) {
    const leaf = this.gram.rows[place];
    return this.gram.of === 'groups' ? shortGroup(this.data, leaf, letters)
      : letters > 24 ? calledShort(leaf - 1, letters) : shortName(this.data, leaf - 1, letters);
  }

  // Takes over what is selected: marks of places, and of branches all of which is.
  mark() {
    const [tree] = this.trees;
    const parts = new Uint32Array(tree.count);
    page.selection.forEach((row) => {
      const place = this.placeOfRow(row);
      parts[place] += place >= 0 ? 1 : 0;
    });
    this.marked = Array.from(parts.keys()).filter((place) => parts[place] > 0);
    this.whole = new Uint8Array(2 * tree.count - 1);
    this.marked.forEach((place) => { this.whole[place] = parts[place] === this.rowsAt(place).length ? 1 : 0; });
    for (let node = tree.count; node < this.whole.length; node++) {
      this.whole[node] = this.whole[tree.left[node]] & this.whole[tree.right[node]];
    }
    this.redraw();
  }

  // Moves the chosen row into sight.
  show(row) {
    const place = this.placeOfRow(row);
    const [rows] = this.axes;
    if (place >= 0 && (place < rows.from || place + 1 > rows.from + rows.shown)) {
      rows.to(place + 0.5 - rows.shown / 2, rows.shown);
    }
    this.redraw();
  }

  // The smallest branch that holds the selection, or else the chosen row, and more than that; -1 where there is none.
  larger() {
    const [tree] = this.trees;
    const chosen = this.placeOfRow(page.chosen);
    const places = this.marked.length > 0 ? this.marked : chosen >= 0 ? [chosen] : [];
    const [low, high] = [places[0], places[places.length - 1]];
    for (let node = tree.count; node < 2 * tree.count - 1 && places.length > 0; node++) {
      if (tree.first[node] <= low && tree.last[node] >= high && tree.last[node] - tree.first[node] + 1 > places.length) {
        return node;
      }
    }
    return -1;
  }

  // Shows nothing but these places, of rows (0) or samples (1).
  showPlaces(side, first, last) {
    const axis = this.axes[side];
    const shown = Math.min(Math.max(last - first + 1, 3), axis.count);
    axis.to((first + last + 1 - shown) / 2, shown);
    this.redraw();
  }

  fit() {
    this.axes.forEach((axis) => axis.to(0, axis.count));
    this.redraw();
  }

  move(dx, dy) {
    this.axes[1].move(dx);
    this.axes[0].move(dy);
    this.redraw();
  }

  // Of rows (0) or samples (1).
  zoom(side, factor, pixel) {
    this.axes[side].zoom(factor, pixel);
    this.redraw();
  }

  // Where everything is, in the pixels of the style.
  layOut() {
    const [rows, columns] = this.axes;
    const tree = Math.round(Math.max(40, Math.min(110, 0.16 * this.wide)));
    const names = Math.round(Math.min(130, 0.24 * this.wide));
    const left = tree + 4 + (this.grouped ? BAR + 2 : 0);
    const barsTop = Math.round(Math.min(70, 0.14 * this.high)) + 4;
    const top = barsTop + this.bars.length * (BAR + 1) + 2;
    columns.room = Math.max(this.wide - left - names, 10);
    const words = columns.size >= 11 ? 66 : 4;
    rows.room = Math.max(this.high - top - words, 10);
    return { tree, left, barsTop, top, right: left + columns.room, low: top + rows.room };
  }

  // What is at a pixel: { part, place, sample, node, bar }, of which part says which there are; null for nothing.
  at(x, y) {
    const l = this.layOut();
    const [rows, columns] = this.axes;
    const whole = (axis, pixel) => Math.min(Math.max(Math.floor(axis.place(pixel)), 0), axis.count - 1);
    const inside = (v, a, b) => v >= a && v < b;
    const [place, sample] = [whole(rows, y - l.top), whole(columns, x - l.left)];
    if (inside(y, l.top, l.low)) {
      return x >= l.right ? this.named(x, y) : inside(x, l.left, l.right) ? { part: 'cell', place, sample }
        : x > l.tree + 2 ? { part: 'group', place }
          : { part: 'branch', side: 0, node: branchAt(this.trees[0], place, 1 - (x - 7) / (l.tree - 4)) };
    }
    if (!inside(x, l.left, l.right) || y > l.top) {
      return null;
    }
    const bar = Math.floor((y - l.barsTop) / (BAR + 1));
    return bar >= 0 && bar < this.bars.length ? { part: 'bar', bar, sample }
      : { part: 'branch', side: 1, node: branchAt(this.trees[1], sample, 1 - (y - 7) / (l.barsTop - 8)) };
  }

  // The row whose name is at a pixel.
  named(x, y) {
    const name = this.names.find((n) => Math.abs(n.y - y) < LINE / 2);
    return name ? { part: 'name', place: name.place } : null;
  }

  drawAll(context, theme, fine) {
    const l = this.layOut();
    this.drawCells(context, l, fine);
    this.drawRest(context, theme, l);
  }

  // All but the cells.
  drawRest(context, theme, l) {
    this.drawBars(context, l);
    this.trees.forEach((tree, side) => this.drawTree(context, theme, l, side));
    this.withinRows(context, l, () => this.drawMarks(context, theme, l));
    this.drawNames(context, theme, l);
  }

  // A frame around the row or the branch below the mouse, whose lines are thick.
  drawHovered(context, theme) {
    const l = this.layOut();
    if (this.branch) {
      const { side, node } = this.branch;
      const tree = this.trees[side];
      this.drawSteps(context, l, side, theme.ink, 2, (step) => step <= node && tree.first[step] >= tree.first[node] && tree.last[step] <= tree.last[node]);
    }
    this.withinRows(context, l, () => {
      if (this.hovered >= 0) {
        this.drawFrame(context, l, 0, this.hovered, this.hovered, theme.ink, 1);
      }
      if (this.branch) {
        const { side, node } = this.branch;
        this.drawFrame(context, l, side, this.trees[side].first[node], this.trees[side].last[node], theme.ink, 1.5);
      }
    });
  }

  // The cells, which are written anew where others are shown.
  drawCells(context, l, fine) {
    const [rows, columns] = this.axes;
    const [w, h] = [Math.max(Math.round(columns.room * fine), 1), Math.max(Math.round(rows.room * fine), 1)];
    const shown = [w, h, ...this.axes.flatMap((axis) => [axis.from, axis.shown])].join();
    if (this.shown !== shown) {
      this.shown = shown;
      this.image = this.writeCells(this.picture, this.image, rows.bins(h), columns.bins(w));
    }
    context.drawImage(this.picture, l.left, l.top, columns.room, rows.room);
  }

  // Every pixel of a picture of cells: the mean of what it shows, the places of `down` and `across`. Returns the image, to write into again.
  writeCells(picture, former, down, across) {
    const [w, h] = [across.first.length, down.first.length];
    let image = former;
    if (image?.width !== w || image.height !== h) {
      picture.width = w;
      picture.height = h;
      image = picture.getContext('2d').createImageData(w, h);
    }
    const pixels = new Uint32Array(image.data.buffer);
    for (let y = 0; y < h; y++) {
      if (y > 0 && down.first[y] === down.first[y - 1] && down.last[y] === down.last[y - 1]) {
        pixels.copyWithin(y * w, (y - 1) * w, y * w);
      } else {
        this.writeLine(pixels.subarray(y * w, (y + 1) * w), down.first[y], down.last[y], across);
      }
    }
    picture.getContext('2d').putImageData(image, 0, 0);
    return image;
  }

  // What is seen, as the text of an SVG file: a cell for each row and sample, or where several share a pixel for each pixel.
  svg() {
    const theme = themeColours();
    const l = this.layOut();
    const legend = heatLegend(null, this.wide, this.data.gram.standardized ? undefined : this.codes.limit);
    const size = { width: this.wide, height: this.high + legend.high + 8 };
    const root = svgElement('svg', { viewBox: `0 0 ${size.width} ${size.height}`, color: theme.ink, ...size });
    root.append(svgElement('rect', { ...size, fill: theme.paper }));
    const [down, across] = this.axes.map((axis) => axis.cells());
    const picture = document.createElement('canvas');
    this.writeCells(picture, null, down, across);
    const pen = new SvgPen(root);
    pen.save();
    pen.beginPath();
    pen.rect(l.left, l.top, this.axes[1].room, this.axes[0].room);
    pen.clip();
    const cells = svgElement('g', {
      class: 'cells', transform: `translate(${l.left + across.at} ${l.top + down.at}) scale(${across.step} ${down.step})`, 'shape-rendering': 'crispEdges',
    });
    cellPaths(picture).forEach((parts, fill) => cells.append(svgElement('path', { d: parts.join(''), fill })));
    pen.put(cells);
    pen.restore();
    this.drawRest(pen, theme, l);
    const below = svgElement('g', { transform: `translate(0 ${this.high})` });
    below.append(...legend.parts);
    root.append(below);
    return svgText(root);
  }

  writeLine(line, first, last, across) {
    const { codes, palette } = this;
    const d = this.axes[1].count;
    const [from, to] = [across.first[0], across.last[line.length - 1]];
    const sums = new Uint32Array(to - from);
    const counts = new Uint32Array(to - from);
    for (let row = first; row < last; row++) {
      for (let c = from; c < to; c++) {
        const code = codes[row * d + c];
        sums[c - from] += code === NO_CODE ? 0 : code;
        counts[c - from] += code === NO_CODE ? 0 : 1;
      }
    }
    for (let x = 0; x < line.length; x++) {
      let [sum, count] = [0, 0];
      for (let c = across.first[x] - from; c < across.last[x] - from; c++) {
        sum += sums[c];
        count += counts[c];
      }
      line[x] = palette[count > 0 ? Math.round(sum / count) : NO_CODE];
    }
  }

  // Of phenotypes above the cells, with their names, and of groups on the left.
  drawBars(context, l) {
    const [rows, columns] = this.axes;
    const stretches = (axis, colour, put) => {
      const pixels = Math.max(Math.round(axis.room), 1);
      const { first } = axis.bins(pixels);
      for (let from = 0, p = 1; p <= pixels; p++) {
        if (p === pixels || colour(first[p]) !== colour(first[from])) {
          context.fillStyle = colour(first[from]);
          put(from, p - from);
          from = p;
        }
      }
    };
    this.bars.forEach(({ colour }, b) => stretches(columns, (place) => colour(this.gram.columns[place] - 1), (x, wide) =>
      context.fillRect(l.left + x, l.barsTop + b * (BAR + 1), wide, BAR)));
    if (this.grouped) {
      const colour = (place) => lookOf(page.rank[this.data.group[this.gram.rows[place] - 1]]).colour;
      stretches(rows, colour, (y, high) => context.fillRect(l.left - BAR - 2, l.top + y, BAR, high));
    }
  }

  // The branches that have a pixel; what is selected is thick.
  drawTree(context, theme, l, side) {
    this.drawSteps(context, l, side, theme.quiet, 1, () => true);
    if (side === 0 && this.marked.length > 1) {
      this.drawSteps(context, l, side, theme.accent, 2, (node) => this.whole[node] === 1);
    }
  }

  drawSteps(context, l, side, colour, wide, which) {
    const tree = this.trees[side];
    const axis = this.axes[side];
    const [deep, start] = side === 0 ? [l.tree, l.top] : [l.barsTop - 4, l.left];
    const point = side === 0 ? (p, v) => [v, p] : (p, v) => [p, v];
    const place = (node) => start + axis.pixel(tree.at[node]);
    const level = (node) => 4 + (1 - tree.high[node]) * (deep - 4);
    context.save();
    context.beginPath();
    context.rect(...point(start, 0), ...point(axis.room, deep + 2));
    context.clip();
    context.beginPath();
    for (let node = tree.count; node < 2 * tree.count - 1; node++) {
      if ((tree.last[node] - tree.first[node] + 1) * axis.size >= 1 && tree.last[node] + 1 > axis.from &&
          tree.first[node] < axis.from + axis.shown && which(node)) {
        const [a, b, v] = [tree.left[node], tree.right[node], level(node)];
        context.moveTo(...point(place(a), level(a)));
        context.lineTo(...point(place(a), v));
        context.lineTo(...point(place(b), v));
        context.lineTo(...point(place(b), level(b)));
      }
    }
    context.lineWidth = wide;
    context.strokeStyle = colour;
    context.stroke();
    context.restore();
  }

  // Draws where the rows are, and nowhere else.
  withinRows(context, l, draw) {
    context.save();
    context.beginPath();
    context.rect(0, l.top - 2, this.wide, this.axes[0].room + 4);
    context.clip();
    draw();
    context.restore();
  }

  // Around rows (0) or samples (1).
  drawFrame(context, l, side, first, last, colour, wide) {
    const axis = this.axes[side];
    const high = Math.max((last - first + 1) * axis.size, 3);
    const from = axis.pixel((first + last + 1) / 2) - high / 2;
    context.lineWidth = wide;
    context.strokeStyle = colour;
    context.strokeRect(...(side === 0 ? [l.left - 1, l.top + from, this.axes[1].room + 2, high]
      : [l.left + from, l.top - 1, high, this.axes[0].room + 2]));
  }

  // Beside the cells what is selected; a frame around the chosen row.
  drawMarks(context, theme, l) {
    const [rows] = this.axes;
    context.fillStyle = theme.accent;
    for (let m = 0; m < this.marked.length;) {
      let end = m + 1;
      while (end < this.marked.length && this.marked[end] === this.marked[end - 1] + 1) {
        end++;
      }
      const [from, to] = [rows.pixel(this.marked[m]), rows.pixel(this.marked[end - 1] + 1)];
      context.fillRect(l.right + 1, l.top + from, 5, Math.max(to - from, 1));
      m = end;
    }
    const chosen = this.placeOfRow(page.chosen);
    if (chosen >= 0) {
      this.drawFrame(context, l, 0, chosen, chosen, theme.accent, 2);
    }
  }

  // Names on the right: of the chosen row, its neighbours and, if that is few, what is selected, each with a line to its row; of all where there is room, else
  // of hubs; of samples below, where there is room; of bars.
  drawNames(context, theme, l) {
    const chosen = this.placeOfRow(page.chosen);
    this.names = this.calledOut(l);
    context.textBaseline = 'middle';
    context.fillStyle = theme.ink;
    context.strokeStyle = theme.quiet;
    context.lineWidth = 1;
    const letters = Math.max(Math.floor((this.wide - l.right - 20) / 7), 4);
    for (const { place, y } of this.names) {
      context.font = (place === chosen ? 'bold ' : '') + '11px sans-serif';
      context.beginPath();
      context.moveTo(l.right + 7, l.top + this.axes[0].pixel(place + 0.5));
      context.lineTo(l.right + 16, y);
      context.stroke();
      context.fillText(this.nameAt(place, letters), l.right + 18, y);
    }
    context.font = '11px sans-serif';
    const names = this.barNames;
    names.forEach((unused, b) => context.fillText(shortOf(names, b, letters), l.right + 4, l.barsTop + b * (BAR + 1) + BAR / 2 + 1));
    const columns = this.axes[1];
    for (let place = Math.floor(columns.from); columns.size >= 11 && place < Math.min(columns.from + columns.shown, columns.count); place++) {
      const x = columns.pixel(place + 0.5);
      if (x >= 4 && x <= columns.room - 4) {
        context.save();
        context.translate(l.left + x, l.low + 4);
        context.rotate(Math.PI / 2);
        context.fillText(shortSample(this.data, this.gram.columns[place] - 1, 9), 0, 0);
        context.restore();
      }
    }
  }

  // The names that have room, from the top: { place, y }.
  calledOut(l) {
    const [rows] = this.axes;
    const { data } = this;
    const most = Math.floor(rows.room / LINE);
    const wanted = new Set();
    const inSight = (place) => place + 0.5 > rows.from && place + 0.5 < rows.from + rows.shown;
    const want = (place) => {
      if (place >= 0 && wanted.size < most && inSight(place)) {
        wanted.add(place);
      }
    };
    want(this.placeOfRow(page.chosen));
    if (page.chosen >= 0 && this.gram.of === 'rows') {
      neighboursOf(data, page.chosen).forEach((row) => want(this.placeOfRow(row)));
    }
    const marked = this.marked.filter(inSight);
    if (marked.length <= most) {                              // some of them would say nothing
      marked.forEach(want);
    }
    if (rows.shown <= most) {
      for (let place = Math.floor(rows.from); place < Math.min(rows.from + rows.shown, rows.count); place++) {
        want(place);
      }
    }
    const names = Array.from(wanted).sort((a, b) => a - b).map((place) => ({ place, y: l.top + rows.pixel(place + 0.5) }));
    spread(names, l.top + LINE / 2, l.low - LINE / 2);
    const free = (y) => y > l.top + LINE / 2 && y < l.low - LINE / 2 && names.every((n) => Math.abs(n.y - y) >= LINE);
    for (let c = 0; c < data.byHub.length && names.length < most && rows.shown > most && this.gram.of === 'rows'; c++) {
      const place = this.placeOfRow(data.byHub[c]);
      const y = l.top + rows.pixel(place + 0.5);
      if (free(y)) {
        names.push({ place, y });
      }
    }
    return names;
  }
}

// Moves names, which stand from the top, as little as makes each a line high, between two ends: those in each other's way around their middle.
function spread(names, top, low) {
  const heaps = [];                                           // { y: of the first one where all are in place, count }
  names.forEach((name, i) => {
    let heap = { y: name.y - LINE * i, count: 1 };
    while (heaps.length > 0 && heaps[heaps.length - 1].y > heap.y) {
      const before = heaps.pop();
      const count = before.count + heap.count;
      heap = { y: (before.y * before.count + heap.y * heap.count) / count, count };
    }
    heaps.push(heap);
  });
  const last = low - LINE * (names.length - 1);
  heaps.flatMap((heap) => Array(heap.count).fill(Math.max(top, Math.min(heap.y, last)))).forEach((y, i) => { names[i].y = y + LINE * i; });
}

// ---- its values ---------------------------------------------------------------------------------------------------------
// What it shows of a row. One value alone has no standard deviation: it counts as missing.
function gramValues(data, row) {
  const values = valuesOf(data, row);
  if (!data.gram.standardized) {
    return values;
  }
  return values.filter((v) => !Number.isNaN(v)).length === 1 ? values.fill(NaN) : standardize(values);
}

// The values of the leaves, as they stand in the trees, and the `limit` that has the last colours; a piece at a time.
async function gramCodes(data) {
  const { gram, samples } = data;
  const codes = new Uint8Array(gram.leaves * samples);
  let limit = gram.standardized ? MOST_SPREAD : 1e-300;
  const put = (place, values) => {
    for (let c = 0; c < samples; c++) {
      const v = values[gram.columns[c] - 1];
      codes[place * samples + c] = Number.isNaN(v) ? NO_CODE : Math.round(125 * (1 + Math.max(-1, Math.min(1, v / limit))));
    }
  };
  if (gram.of === 'groups') {
    gram.means = await groupMeans(data);
  }
  if (!gram.standardized) {                                   // one sample
    for (let i = 0; i < data.n; i++) {
      limit = Math.max(limit, Math.abs(valuesOf(data, i)[0]) || 0);
    }
  }
  for (let place = 0; place < gram.leaves; place++) {
    put(place, gram.means ? gram.means[gram.rows[place] - 1] : gramValues(data, gram.rows[place] - 1));
    if (place % 1000 === 999) {
      await pause();
    }
  }
  codes.limit = limit;
  return codes;
}

async function groupMeans(data) {
  const { samples } = data;
  const sums = data.groups.map(() => new Float64Array(samples));
  const counts = data.groups.map(() => new Float64Array(samples));
  for (let i = 0; i < data.n; i++) {
    if (data.group[i] > 0) {
      const [sum, count] = [sums[data.group[i] - 1], counts[data.group[i] - 1]];
      gramValues(data, i).forEach((v, j) => {
        sum[j] += Number.isNaN(v) ? 0 : v;
        count[j] += Number.isNaN(v) ? 0 : 1;
      });
    }
    if (i % 1000 === 999) {
      await pause();
    }
  }
  return sums.map((sum, g) => sum.map((v, j) => v / counts[g][j]));
}

// All that it shows, as the lines of a table: in one text they might be longer than a text may be.
function csvOfGram(gram) {
  const { data, axes } = gram;
  const samples = Array.from(data.gram.columns, (j) => j - 1);
  const line = (place) => {
    const leaf = data.gram.rows[place];
    const values = data.gram.means ? data.gram.means[leaf - 1] : valuesOf(data, leaf - 1);
    return csvLine([data.gram.means ? groupName(data, leaf) : nameOf(data, leaf - 1), ...samples.map((j) => values[j])]);
  };
  return [csvLine(['name', ...samples.map((j) => sampleName(data, j))]), ...Array.from({ length: axes[0].count }, (unused, place) => line(place))];
}

// ---- what it says, and its controls -----------------------------------------------------------------------------------
// A count and the word for it.
function counted(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function gramText(gram, found) {
  const { data } = gram;
  const sample = found.sample === undefined ? -1 : data.gram.columns[found.sample] - 1;
  if (found.part === 'cell') {
    const leaf = data.gram.rows[found.place];
    const value = data.gram.means ? data.gram.means[leaf - 1][sample] : valuesOf(data, leaf - 1)[sample];
    return `${gram.nameAt(found.place, 60)}, ${shortSample(data, sample, 40)}: ${digits(value, 4) || 'missing'}`;
  } else if (found.part === 'bar') {
    const { by } = gram.bars[found.bar];
    const value = isNone(by, sample) ? 'none' : by.kinds.length > 0 ? by.kinds[by.of[sample] - 1] : digits(by.of[sample], 4);
    return `${shortSample(data, sample, 40)}, ${shorten(by.name, 40)}: ${shorten(value, 40)}`;
  } else if (found.part === 'branch') {
    const tree = gram.trees[found.side];
    const count = tree.last[found.node] - tree.first[found.node] + 1;
    const word = found.side === 1 ? 'sample' : data.gram.of === 'rows' ? 'row' : 'group';
    return `${counted(count, word)}: click to ${found.side === 1 ? 'see' : 'select'} ${count === 1 ? 'it' : 'them'}`;
  } else if (found.part === 'group' && gram.grouped) {
    return 'group ' + shortGroup(data, data.group[data.gram.rows[found.place] - 1], 60);
  }
  return found.place === undefined ? '' : gram.nameAt(found.place, 80);
}

// What a click does: a branch of rows is selected, one of samples is seen alone, a row is opened, a group is selected.
function useGram(gram, found) {
  if (found?.part === 'branch' && found.side === 0) {
    select(gram.rowsOf(found.node), null);
  } else if (found?.part === 'branch') {
    gram.showPlaces(1, gram.trees[1].first[found.node], gram.trees[1].last[found.node]);
  } else if (found?.part === 'group' && gram.grouped) {
    select(gram.members[gram.data.group[gram.gram.rows[found.place] - 1]] ?? [], null);
  } else if (found?.place !== undefined && gram.gram.of === 'rows') {
    openRow(gram.gram.rows[found.place] - 1);
  } else if (found?.place !== undefined) {
    select(gram.rowsAt(found.place), null);
  }
}

// Words for those who do not see it, and what its colours mean.
function describeGram(data) {
  const what = data.gram.of === 'rows' ? counted(data.gram.leaves, 'row') : 'the means of ' + counted(data.gram.leaves, 'group');
  $('gram').setAttribute('aria-label', `Heat map of ${what} and ${counted(data.samples, 'sample')}, ordered by their trees; the button CSV has its values`);
  const bars = data.phenotypes.slice(0, MOST_BARS).map((by) => {
    const legend = orderLegend(by);
    legend.prepend(make('span', {}, shorten(by.name, 40) + ':'));
    return legend;
  });
  const more = data.phenotypes.length - bars.length;
  const unit = data.gram.standardized ? 'in standard deviations of each row' : 'by the values';
  const of = data.gram.of === 'groups' ? 'Each line is the mean of a group. ' : '';
  $('gram-legend').replaceChildren(...bars, make('p', { class: 'quiet' }, (more > 0 ? `Bars: the first ${MOST_BARS} phenotypes. ` : '') + of +
    `Blue low, orange high, ${unit}; the lightest grey is missing; of lines that share a pixel the mean. Trees: average linkage of euclidean distances, ` +
    'as in knng.clustergram.'));
}

// Reads what it shows, and makes it.
async function startGram() {
  const { data } = page;
  page.gram = new Clustergram($('gram'), data, await gramCodes(data));
  page.gram.show(page.chosen);
  $('gram-scale').replaceChildren(scaleLine(page.gram.codes.limit, data.gram.standardized ? ' SD' : ''));
}
