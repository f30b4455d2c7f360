// draw.js  What the page draws: the map on a canvas, its pixels written one by one, since 50 000 circles would take a
// tenth of a second; profiles and exports as SVG; heat maps.

// The page carries all colours that tell groups, classes and values apart: knng.internal.page_colours.
const SHAPES = ['circle', 'square', 'up', 'diamond', 'down'];
const SHAPE_OF = { o: 'circle', s: 'square', '^': 'up', d: 'diamond', v: 'down' };
const SVG = 'http://www.w3.org/2000/svg';

const NO_GROUP = '#a8a8a8';

// The look of a group, the first the largest, 0 for none.
function lookOf(group) {
  const { colours, shapes } = page.data;
  return group === 0 ? { colour: NO_GROUP, shape: 'circle' } : { colour: colours[group - 1], shape: SHAPE_OF[shapes[group - 1]] };
}

// The colour of a class of samples, 0 for none.
function classColour(by, code) {
  return code > 0 ? by.colours[code - 1] : NO_GROUP;
}

// From -1, blue, over grey to 1, orange.
function scaleColour(v) {
  if (Number.isNaN(v)) {
    return [205, 205, 205];
  }
  const part = Math.min(Math.abs(v), 1);
  const [low, middle, high] = page.data.scale;
  const end = v < 0 ? low : high;
  return middle.map((m, c) => Math.round(m + part * (end[c] - m)));
}

function hex(colour) {
  return '#' + colour.map((c) => c.toString(16).padStart(2, '0')).join('');
}

function rgb(text) {
  return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
}

// The corners of a shape around 0, 0; null for a circle.
function cornersOf(shape, r) {
  return {
    circle: null,
    square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
    up: [[0, -1.2], [1.15, 0.85], [-1.15, 0.85]],
    diamond: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
    down: [[0, 1.2], [1.15, -0.85], [-1.15, -0.85]],
  }[shape]?.map(([x, y]) => [x * r, y * r]) ?? null;
}

function traceShape(context, shape, x, y, r) {
  const corners = cornersOf(shape, r);
  context.beginPath();
  if (corners) {
    corners.forEach(([cx, cy]) => context.lineTo(x + cx, y + cy));
    context.closePath();
  } else {
    context.arc(x, y, r, 0, 2 * Math.PI);
  }
}

// How much of each pixel around its middle a shape covers, 0 to 255: { size, cover }.
function stampOf(shape, r) {
  const size = 2 * Math.ceil(1.4 * r) + 1;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  traceShape(context, shape, size / 2, size / 2, r);
  context.fill();
  const pixels = context.getImageData(0, 0, size, size).data;
  return { size, cover: Uint8Array.from({ length: size * size }, (unused, i) => pixels[4 * i + 3]) };
}

// ---- what is drawn on a canvas ------------------------------------------------------------------------------------------
// Anew before the next frame, where it has changed: drawAll() of what extends it, and upon that drawHovered(), what the mouse marks. Where
// only that is other, the rest is kept.
class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.waiting = false;
    this.stale = true;                                        // more than what the mouse marks is to be drawn
    this.kept = document.createElement('canvas');
  }

  // The width and height of the canvas in the pixels of the style.
  get wide() { return this.canvas.clientWidth || 1; }
  get high() { return this.canvas.clientHeight || 1; }

  redraw() {
    this.stale = true;
    this.hover();
  }

  // What the mouse marks is another thing.
  hover() {
    if (!this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        if (this.stale) {
          this.draw();
        } else {
          this.again();
        }
      });
    }
  }

  draw() {
    const theme = themeColours();
    const { context, fine, w, h } = this.begin(theme);
    this.stale = false;
    this.drawAll(context, theme, fine, w, h);
    this.kept.width = w;
    this.kept.height = h;
    this.kept.getContext('2d').drawImage(this.canvas, 0, 0);
    this.drawHovered(context, theme);
  }

  // Upon what was drawn before.
  again() {
    const context = this.canvas.getContext('2d');
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.kept, 0, 0);
    context.restore();
    this.drawHovered(context, themeColours());
  }

  resized() {
    const { w, h } = this.pixels();
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.redraw();
    }
  }

  // What the canvas has to have of them, and how many are one of the style.
  pixels() {
    const fine = Math.min(window.devicePixelRatio || 1, 2);
    return { fine, w: Math.round(this.wide * fine), h: Math.round(this.high * fine) };
  }

  // What is saved is what would be seen in the next frame.
  settle() {
    if (this.waiting) {
      this.draw();
    }
  }

  // An empty canvas, to draw on in the pixels of the style.
  begin(theme) {
    const { fine, w, h } = this.pixels();
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    const context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, w, h);
    context.setTransform(fine, 0, 0, fine, 0, 0);
    return { context, fine, w, h };
  }
}

// ---- the map ----------------------------------------------------------------------------------------------------------
// places: x and y of each row, NaN where it has none. A place is at pixel (x - left) * scale, (top - y) * scale.
class GraphMap extends Drawing {
  constructor(canvas, data) {
    super(canvas);
    this.data = data;
    this.places = data.xy;
    this.colours = new Uint32Array(data.n);                   // as pixels lie in memory
    this.shapes = new Uint8Array(data.n);
    this.below = null;                                        // the points that are drawn before the others
    this.selected = new Uint8Array(data.n);
    this.chosen = -1;
    this.path = [];
    this.lasso = null;
    this.titles = [];                                         // { x, y, text } of groups
    this.named = [];
    this.picture = document.createElement('canvas');
    this.box = boxOf(data.xy);
    this.fit();
  }

  fit() {
    const [x0, y0, x1, y1] = this.box;
    const room = 24;
    this.scale = Math.min((this.wide - 2 * room) / Math.max(x1 - x0, 1e-30), (this.high - 2 * room) / Math.max(y1 - y0, 1e-30));
    if (!Number.isFinite(this.scale) || this.scale > 1e29 || this.scale <= 0) {
      this.scale = 1;
    }
    this.fitted = this.scale;
    this.left = (x0 + x1) / 2 - this.wide / 2 / this.scale;
    this.top = (y0 + y1) / 2 + this.high / 2 / this.scale;
    this.redraw();
  }

  xOf(i) { return (this.places[2 * i] - this.left) * this.scale; }
  yOf(i) { return (this.top - this.places[2 * i + 1]) * this.scale; }

  move(dx, dy) {
    this.left -= dx / this.scale;
    this.top += dy / this.scale;
    this.redraw();
  }

  // Larger by a factor; what is at the pixel stays there.
  zoom(factor, x = this.wide / 2, y = this.high / 2) {
    const next = Math.min(Math.max(this.scale * factor, this.fitted / 4), this.fitted * 5000);
    this.left += x / this.scale - x / next;
    this.top -= y / this.scale - y / next;
    this.scale = next;
    this.redraw();
  }

  // Moves a row into sight.
  show(i) {
    const [x, y] = [this.xOf(i), this.yOf(i)];
    if (x < 20 || y < 20 || x > this.wide - 20 || y > this.high - 20) {
      this.move(this.wide / 2 - x, this.high / 2 - y);
    }
  }

  get radius() {
    const n = this.data.n;
    const plain = n < 500 ? 5 : n < 3000 ? 3.2 : n < 15000 ? 2.2 : 1.4;
    return Math.min(plain * Math.max(1, (this.scale / this.fitted) ** 0.35), 7);
  }

  // The row nearest to a pixel, within some distance; -1.
  at(x, y, reach = 14) {
    let best = -1;
    let least = reach * reach;
    for (let i = 0; i < this.data.n; i++) {
      const dx = this.xOf(i) - x;
      const dy = this.yOf(i) - y;
      const far = dx * dx + dy * dy;
      if (far < least) {
        least = far;
        best = i;
      }
    }
    return best;
  }

  // The rows in a polygon of places.
  inside(polygon) {
    const rows = [];
    for (let i = 0; i < this.data.n; i++) {
      if (inPolygon(this.places[2 * i], this.places[2 * i + 1], polygon)) {
        rows.push(i);
      }
    }
    return rows;
  }

  inSight() {
    const rows = [];
    for (let i = 0; i < this.data.n; i++) {
      const [x, y] = [this.xOf(i), this.yOf(i)];
      if (x >= 0 && y >= 0 && x <= this.wide && y <= this.high) {
        rows.push(i);
      }
    }
    return rows;
  }

  drawAll(context, theme, fine, w, h) {
    this.drawEdges(context, theme);
    this.drawPoints(w, h, fine);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(fine, 0, 0, fine, 0, 0);
    this.drawChosen(context, theme);
    this.drawNames(context, theme);
    this.drawLasso(context, theme);
  }

  // All points, pixel by pixel: those of this.below first.
  drawPoints(w, h, fine) {
    const context = this.picture.getContext('2d');
    if (this.image?.width !== w || this.image.height !== h) {
      this.picture.width = w;
      this.picture.height = h;
      this.image = context.createImageData(w, h);
    }
    const pixels = new Uint32Array(this.image.data.buffer).fill(0);
    const stamps = this.stampsOf(this.radius * fine);
    for (const pass of this.below ? [1, 0] : [undefined]) {
      for (let i = 0; i < this.data.n; i++) {
        if (pass === undefined || this.below[i] === pass) {
          putStamp(pixels, w, h, stamps[this.shapes[i]], this.xOf(i) * fine, this.yOf(i) * fine, this.colours[i]);
        }
      }
    }
    context.putImageData(this.image, 0, 0);
  }

  // Of each shape, made anew where the radius is another.
  stampsOf(radius) {
    if (this.stamped?.radius !== radius) {
      this.stamped = { radius, stamps: SHAPES.map((shape) => stampOf(shape, radius)) };
    }
    return this.stamped.stamps;
  }

  // All edges where they are few, and those of the chosen row and of the path.
  drawEdges(context, theme) {
    const { data } = this;
    if (data.entries <= 6000) {
      context.beginPath();
      for (let e = 0; e < data.entries; e++) {
        this.line(context, data.from[e], data.idx[e]);
      }
      context.strokeStyle = theme.faint;
      context.lineWidth = 0.6;
      context.stroke();
    }
    if (this.chosen >= 0) {
      context.beginPath();
      for (let e = data.start[this.chosen]; e < data.start[this.chosen + 1]; e++) {
        this.line(context, this.chosen, data.idx[e]);
      }
      context.strokeStyle = theme.ink;
      context.lineWidth = 1;
      context.stroke();
    }
    context.beginPath();
    this.path.forEach((row, step) => step > 0 && this.line(context, this.path[step - 1], row));
    context.strokeStyle = theme.accent;
    context.lineWidth = 3;
    context.stroke();
  }

  line(context, i, j) {
    context.moveTo(this.xOf(i), this.yOf(i));
    context.lineTo(this.xOf(j), this.yOf(j));
  }

  ring(context, i, r, wide, colour) {
    context.beginPath();
    context.arc(this.xOf(i), this.yOf(i), r, 0, 2 * Math.PI);
    context.lineWidth = wide;
    context.strokeStyle = colour;
    context.stroke();
  }

  drawHovered(context, theme) {
    if (page.hovered >= 0) {
      this.ring(context, page.hovered, this.radius + 2.5, 2, theme.ink);
    }
  }

  // Rings around what is selected, the neighbours, the path and the chosen row.
  drawChosen(context, theme) {
    const { data } = this;
    const ring = (...how) => this.ring(context, ...how);
    const r = this.radius;
    for (const i of this.selectedRows().slice(0, 3000)) {
      ring(i, r + 1, 1.2, theme.ink);
    }
    this.path.forEach((i) => ring(i, r + 3, 2.5, theme.accent));
    if (this.chosen >= 0) {
      for (let e = data.start[this.chosen]; e < data.start[this.chosen + 1]; e++) {
        ring(data.idx[e], r + 1.5, 1.5, theme.ink);
      }
      ring(this.chosen, r + 4, 3, theme.accent);
    }
  }

  selectedRows() {
    const rows = [];
    for (let i = this.selected.indexOf(1); i >= 0; i = this.selected.indexOf(1, i + 1)) {
      rows.push(i);
    }
    return rows;
  }

  // Names where there is room: of the chosen row and its neighbours, of groups, then of hubs.
  drawNames(context, theme) {
    const taken = [];
    this.named = [];                                          // what stands where, for svg()
    const put = (text, x, y, font, side) => {                 // 1: to the right, -1: to the left, 0: upon it
      context.font = font;
      const w = context.measureText(text).width;
      const from = side === 0 ? x - w / 2 : side > 0 ? x + 6 : x - 8 - w;
      const box = [from, y - 8, from + w + 2 * (side !== 0), y + 8];
      if (box[0] < 0 || box[2] > this.wide || box[1] < 0 || box[3] > this.high ||
          taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3])) {
        return false;
      }
      taken.push(box);
      context.lineWidth = 3;
      context.strokeStyle = theme.paper;
      context.strokeText(text, box[0], y);
      context.fillStyle = theme.ink;
      context.fillText(text, box[0], y);
      this.named.push({ text, x: box[0], y, large: side === 0 });
      return true;
    };
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const name = (i, side = 1) => put(shortName(this.data, i), this.xOf(i), this.yOf(i), '12px sans-serif', side);
    this.pinned().forEach((i) => {
      if (!name(i)) {
        name(i, -1);
      }
      if (i === this.chosen) {                                // nothing on its ring
        const [x, y, r] = [this.xOf(i), this.yOf(i), this.radius + 5];
        taken.push([x - r, y - r, x + r, y + r]);
      }
    });
    this.titles.forEach((t) => put(t.text, (t.x - this.left) * this.scale, (this.top - t.y) * this.scale,
      'bold 13px sans-serif', 0));
    const most = Math.round(this.wide * this.high / 16000);
    let tried = 0;
    const order = this.data.byHub;
    for (let c = 0, done = 0; c < order.length && done < most && tried < 6 * most; c++) {
      const [x, y] = [this.xOf(order[c]), this.yOf(order[c])];
      if (x > 0 && y > 0 && x < this.wide && y < this.high) {
        tried++;
        done += name(order[c]) ? 1 : 0;
      }
    }
  }

  // The rows whose names come first.
  pinned() {
    const near = this.chosen < 0 ? [] : [this.chosen, ...neighboursOf(this.data, this.chosen)];
    return [...new Set([...near.slice(0, 1), ...this.path, ...near.slice(1)])];
  }

  drawLasso(context, theme) {
    if (!this.lasso) {
      return;
    }
    context.beginPath();
    for (let p = 0; p < this.lasso.length; p += 2) {
      context.lineTo((this.lasso[p] - this.left) * this.scale, (this.top - this.lasso[p + 1]) * this.scale);
    }
    context.closePath();
    context.lineWidth = 2;
    context.strokeStyle = theme.accent;
    context.stroke();
  }

  // The map as it is seen, as the text of an SVG file.
  svg() {
    this.settle();
    const theme = themeColours();
    const root = svgElement('svg', { viewBox: `0 0 ${this.wide} ${this.high}`, width: this.wide, height: this.high });
    root.append(svgElement('rect', { width: this.wide, height: this.high, fill: theme.paper }));
    const near = this.chosen < 0 ? [] : neighboursOf(this.data, this.chosen);
    near.forEach((j) => this.svgLine(root, [this.chosen, j], theme.ink, 1));
    this.svgLine(root, this.path, theme.accent, 3);
    this.inSight().forEach((i) => root.append(this.svgPoint(i)));
    this.selectedRows().forEach((i) => this.svgRing(root, i, 1, 1.2, theme.ink));
    near.forEach((i) => this.svgRing(root, i, 1.5, 1.5, theme.ink));
    this.path.forEach((i) => this.svgRing(root, i, 3, 2.5, theme.accent));
    if (this.chosen >= 0) {
      this.svgRing(root, this.chosen, 4, 3, theme.accent);
    }
    this.named.forEach((name) => root.append(this.svgName(name, theme)));
    return svgText(root);
  }

  svgName(name, theme) {
    const text = svgElement('text', {
      x: name.x.toFixed(1), y: (name.y + 4).toFixed(1), fill: theme.ink, 'font-family': 'sans-serif',
      'font-size': name.large ? 13 : 12, 'font-weight': name.large ? 'bold' : 'normal',
    });
    text.textContent = name.text;
    return text;
  }

  hasPlace(i) {
    return !Number.isNaN(this.places[2 * i]) && !Number.isNaN(this.places[2 * i + 1]);
  }

  svgLine(root, rows, stroke, width) {
    if (rows.length > 1 && rows.every((i) => this.hasPlace(i))) {
      const points = rows.map((i) => `${this.xOf(i).toFixed(1)},${this.yOf(i).toFixed(1)}`).join(' ');
      root.append(svgElement('polyline', { points, fill: 'none', stroke, 'stroke-width': width }));
    }
  }

  svgRing(root, i, wider, width, stroke) {
    if (this.hasPlace(i)) {
      root.append(svgElement('circle', {
        class: 'ring', cx: this.xOf(i).toFixed(1), cy: this.yOf(i).toFixed(1), r: (this.radius + wider).toFixed(1),
        fill: 'none', stroke, 'stroke-width': width,
      }));
    }
  }

  svgPoint(i) {
    const v = this.colours[i];
    const fill = hex([v & 255, v >> 8 & 255, v >> 16 & 255]);
    const [x, y] = [this.xOf(i), this.yOf(i)];
    const corners = cornersOf(SHAPES[this.shapes[i]], this.radius);
    if (!corners) {
      return svgElement('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: this.radius.toFixed(1), fill });
    }
    const points = corners.map(([cx, cy]) => `${(x + cx).toFixed(1)},${(y + cy).toFixed(1)}`).join(' ');
    return svgElement('polygon', { points, fill });
  }
}

// The least box around the places.
function boxOf(places) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < places.length; i += 2) {
    if (!Number.isNaN(places[i]) && !Number.isNaN(places[i + 1])) {
      box[0] = Math.min(box[0], places[i]);
      box[1] = Math.min(box[1], places[i + 1]);
      box[2] = Math.max(box[2], places[i]);
      box[3] = Math.max(box[3], places[i + 1]);
    }
  }
  return box[0] === Infinity ? [0, 0, 1, 1] : box;
}

// A colour as a pixel lies in memory, opaque.
function pixelOf(colour) {
  return (255 << 24 | colour[2] << 16 | colour[1] << 8 | colour[0]) >>> 0;
}

// Where a pixel is covered already, the larger cover stays below the full one.
function putStamp(pixels, w, h, stamp, x, y, colour) {
  const half = stamp.size >> 1;
  const left = Math.round(x - 0.5) - half;
  const top = Math.round(y - 0.5) - half;
  if (!(left > -stamp.size && left < w && top > -stamp.size && top < h)) {
    return;                                                   // also where there is no place
  }
  const plain = colour & 0xFFFFFF;
  for (let r = Math.max(0, -top); r < stamp.size && top + r < h; r++) {
    for (let c = Math.max(0, -left); c < stamp.size && left + c < w; c++) {
      const cover = stamp.cover[r * stamp.size + c];
      const at = (top + r) * w + left + c;
      if (cover > 127 || cover > pixels[at] >>> 24) {
        pixels[at] = (cover << 24 | plain) >>> 0;
      }
    }
  }
}

// The colours of the theme, from the style.
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue('--' + name).trim();
  return { paper: of('paper'), ink: of('ink'), faint: of('faint'), quiet: of('quiet'), accent: of('accent') };
}

// ---- SVG --------------------------------------------------------------------------------------------------------------
function svgElement(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) {
    element.setAttribute(key, attributes[key]);
  }
  return element;
}

// XML has no place for control characters, nor for halves of characters.
function svgText(root) {
  const plain = root.cloneNode(true);
  for (const element of plain.querySelectorAll('text, title')) {
    const text = element.textContent;
    const whole = text.toWellFormed ? text.toWellFormed() : text;
    element.textContent = whole.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
  }
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(plain);
}

// Takes what is drawn on a canvas, as far as the clustergram does, and makes elements of it.
class SvgPen {
  constructor(root) {
    Object.assign(this, { root, parent: root, path: '', turned: '', former: [], clips: 0, fillStyle: '', strokeStyle: '', lineWidth: 1, font: '' });
  }

  save() {
    const { parent, turned, fillStyle, strokeStyle, lineWidth, font } = this;
    this.former.push({ parent, turned, fillStyle, strokeStyle, lineWidth, font });
  }

  restore() { Object.assign(this, this.former.pop()); }

  put(element) { this.parent.append(element); }

  beginPath() { this.path = ''; }

  moveTo(x, y) { this.path += `M${x.toFixed(2)} ${y.toFixed(2)}`; }

  lineTo(x, y) { this.path += `L${x.toFixed(2)} ${y.toFixed(2)}`; }

  rect(x, y, w, h) { this.path += `M${x} ${y}h${w}v${h}h${-w}z`; }

  // What follows is seen within the path alone, until restore().
  clip() {
    this.clips++;
    const id = 'clip' + this.clips;
    const shape = svgElement('clipPath', { id });
    shape.append(svgElement('path', { d: this.path }));
    const inside = svgElement('g', { 'clip-path': `url(#${id})` });
    this.put(shape);
    this.put(inside);
    this.parent = inside;
  }

  stroke() {
    if (this.path) {
      this.put(svgElement('path', { d: this.path, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth }));
    }
  }

  fillRect(x, y, width, height) { this.put(svgElement('rect', { x, y, width, height, fill: this.fillStyle })); }

  strokeRect(x, y, width, height) {
    this.put(svgElement('rect', { x, y, width, height, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth }));
  }

  translate(x, y) { this.turned += `translate(${x} ${y})`; }

  rotate(angle) { this.turned += `rotate(${angle * 180 / Math.PI})`; }

  fillText(text, x, y) {
    const word = svgElement('text', {
      x, y: y + 4, fill: this.fillStyle, 'font-family': 'sans-serif', 'font-size': parseInt(this.font.replace('bold ', ''), 10),
      'font-weight': this.font.startsWith('bold') ? 'bold' : 'normal',
    });
    if (this.turned) {
      word.setAttribute('transform', this.turned);
    }
    word.textContent = text;
    this.put(word);
  }
}

// ---- what samples stand by ----------------------------------------------------------------------------------------------
// A phenotype, { kinds, of }: of labels, `of` has their numbers, 0 for none; of values, which have no kinds, these, null for
// none.
function isNone(by, j) {
  return by.kinds.length > 0 ? by.of[j] === 0 : by.of[j] === null;
}

// The least and the largest of its values.
function rangeOf(by) {
  const known = by.of.filter((v) => v !== null);
  return [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)];
}

// From pale, 0, to violet, 1, as in knng.heatmap.
function paleToViolet(part) {
  const [pale, violet] = [[250, 242, 224], [84, 26, 107]];
  return hex(pale.map((v, c) => Math.round(v + part * (violet[c] - v))));
}

// A function that gives the colour of sample j.
function coloursOf(by) {
  if (by.kinds.length > 0) {
    return (j) => classColour(by, by.of[j]);
  }
  const [low, high] = rangeOf(by);
  const part = (v) => high > low ? (v / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
  return (j) => isNone(by, j) ? NO_GROUP : paleToViolet(part(by.of[j]));
}

// The order of the samples in pictures: by the phenotype, null for none, those without one last; where that is the same, by
// the values.
function sampleOrder(by, values) {
  const last = (v) => Number.isNaN(v) ? Infinity : v;
  const place = (j) => by && !isNone(by, j) ? by.of[j] : Infinity;
  const upwards = (a, b) => (a > b) - (a < b);
  return Array.from(values.keys()).sort((a, b) =>
    (by ? upwards(place(a), place(b)) : 0) || upwards(last(values[a]), last(values[b])) || a - b);
}

// A path through the points of a row, with gaps where a value is missing; one alone is a short line.
function pathOf(values, order, x, y) {
  let text = '';
  let open = false;
  order.forEach((j, place) => {
    if (Number.isNaN(values[j])) {
      open = false;
      return;
    }
    text += `${open ? 'L' : 'M'}${x(place).toFixed(1)} ${y(values[j]).toFixed(2)}` + (open ? '' : 'h0.1');
    open = true;
  });
  return text || 'M0 0';
}

// The profile of a row over the samples, its neighbours behind it: rows of standardized values, first that of the row;
// by a phenotype, { kinds, of }, or null; `wide` pixels. Returns the <svg>.
function profilePicture(rows, by, wide, title) {
  const [high, left, right, top, bottom] = [260, 30, 8, 12, 30];
  const order = sampleOrder(by, rows[0]);
  const finite = rows.flatMap((r) => Array.from(r)).filter((v) => !Number.isNaN(v));
  const low = Math.min(-1, finite.reduce((a, b) => Math.min(a, b), 0));
  const most = Math.max(1, finite.reduce((a, b) => Math.max(a, b), 0));
  const x = (place) => left + (place + 0.5) / order.length * (wide - left - right);
  const y = (v) => high - bottom - (v - low) / (most - low) * (high - top - bottom);
  const root = svgElement('svg', { viewBox: `0 0 ${wide} ${high}`, role: 'img', class: 'profile' });
  const name = svgElement('title', {});
  name.textContent = title;
  root.append(name);
  const line = (d, style) => root.append(svgElement('path', { d, fill: 'none', ...style }));
  for (let v = Math.ceil(low); v <= most; v += Math.max(1, Math.round((most - low) / 6))) {
    line(`M${left} ${y(v).toFixed(1)}H${wide - right}`, { stroke: 'currentColor', 'stroke-opacity': v === 0 ? 0.4 : 0.12 });
    root.append(svgWord(left - 5, y(v) + 4, String(v), 'end'));
  }
  if (by && by.kinds.length > 0) {
    classBands(root, by, order, x, high - bottom, top);
  } else if (by) {
    valueBand(root, by, order, x, high - bottom, top);
  }
  for (const row of rows.slice(1)) {
    line(pathOf(row, order, x, y), { stroke: '#8a97a5', 'stroke-opacity': 0.55, 'stroke-width': 1 });
  }
  line(pathOf(rows[0], order, x, y), { stroke: '#d55e00', 'stroke-width': 2.4, 'stroke-linejoin': 'round' });
  return root;
}

function svgWord(x, y, text, anchor, kind = 'word') {
  const word = svgElement('text', {
    class: kind, x: x.toFixed(1), y: y.toFixed(1), 'font-size': 11, 'font-family': 'sans-serif', fill: 'currentColor', 'text-anchor': anchor,
  });
  word.textContent = text;
  return word;
}

// A bar below, and a line and a name for each class.
function classBands(root, classes, order, x, low, top) {
  const step = order.length > 1 ? x(1) - x(0) : 100;
  let first = 0;
  for (let p = 1; p <= order.length; p++) {
    if (p < order.length && classes.of[order[p]] === classes.of[order[first]]) {
      continue;
    }
    const code = classes.of[order[first]];
    const [a, b] = [x(first) - step / 2, x(p - 1) + step / 2];
    svgBar(root, a, b - a - 1, low, classColour(classes, code));
    if (first > 0) {
      svgDashed(root, a, top, low);
    }
    const letters = Math.floor((b - a) / 7);
    if (letters > 1) {
      root.append(svgWord((a + b) / 2, low + 22, shorten(code > 0 ? classes.kinds[code - 1] : 'none', letters), 'middle'));
    }
    first = p;
  }
}

function svgBar(root, x, wide, low, fill) {
  root.append(svgElement('rect', { x: x.toFixed(1), y: low + 3, width: Math.max(wide, 0.5).toFixed(1), height: 6, fill }));
}

function svgDashed(root, x, top, low) {
  root.append(svgElement('path', {
    d: `M${x.toFixed(1)} ${top}V${low}`, stroke: 'currentColor', 'stroke-opacity': 0.4, 'stroke-dasharray': '3 3',
  }));
}

// A bar below whose colours rise with the values, the least and the largest of these, and a line before the samples without.
function valueBand(root, by, order, x, low, top) {
  const step = order.length > 1 ? x(1) - x(0) : 100;
  const colour = coloursOf(by);
  for (let first = 0, p = 1; p <= order.length; p++) {
    if (p === order.length || colour(order[p]) !== colour(order[first])) {
      svgBar(root, x(first) - step / 2, (p - first) * step, low, colour(order[first]));
      first = p;
    }
  }
  const known = order.filter((j) => !isNone(by, j)).length;
  const [left, end, right] = [x(0) - step / 2, x(known) - step / 2, x(order.length) - step / 2];
  const [least, most] = rangeOf(by).map((v) => digits(v, 4));
  root.append(svgWord(left, low + 22, least, 'start'));
  if (most !== least && 7 * (least.length + most.length + 2) < end - left) {
    root.append(svgWord(end, low + 22, most, 'end'));
  }
  if (known < order.length) {
    svgDashed(root, end, top, low);
    if (right - end > 28) {
      root.append(svgWord((end + right) / 2, low + 22, 'none', 'middle'));
    }
  }
}

// ---- heat maps --------------------------------------------------------------------------------------------------------
// A cell for each standardized value, of the rows in this order, the samples by `order`; above it a bar of what they stand
// by.
function heatPicture(rows, order, by) {
  const bar = by ? 2 : 0;
  const colourOf = by && coloursOf(by);
  const canvas = document.createElement('canvas');
  canvas.width = order.length;
  canvas.height = rows.length + bar;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < canvas.height; y++) {
    for (let x = 0; x < order.length; x++) {
      const colour = y < bar ? rgb(colourOf(order[x])) : scaleColour(rows[y - bar][order[x]] / 2.5);
      pixels[y * order.length + x] = pixelOf(colour);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// The same with cells of several pixels, for a file.
function enlarged(canvas, least) {
  const copy = document.createElement('canvas');
  const wide = Math.max(1, Math.ceil(least / canvas.width));
  const high = Math.max(1, Math.ceil(least / 2 / canvas.height));
  copy.width = canvas.width * wide;
  copy.height = canvas.height * high;
  const context = copy.getContext('2d');
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, copy.width, copy.height);
  return copy;
}

// The same as the <svg> of a file, with names of rows and samples where there is room, and what the colours mean.
function heatDrawing(canvas, by, rowNames, sampleNames) {
  const [m, d] = [rowNames.length, sampleNames.length];
  const high = m <= 80 ? 14 : Math.max(2, Math.floor(1000 / m));
  const wide = Math.max(2, Math.min(14, Math.floor(900 / d)));
  const beside = high >= 12 ? rowNames : [];
  const below = wide >= 11 ? sampleNames.map((unused, s) => shortOf(sampleNames, s, 16)) : [];
  const legend = heatLegend(by, Math.max(d * wide, 360));
  const [left, top] = [8, legend.high + 10];
  const low = top + canvas.height * high;
  const root = svgElement('svg', { color: '#1c2228' });
  const title = svgElement('title', {});
  title.textContent = `Heat map of ${m} rows and ${d} samples`;
  const cells = svgElement('g', {
    class: 'cells', transform: `translate(${left} ${top}) scale(${wide} ${high})`, 'shape-rendering': 'crispEdges',
  });
  cellPaths(canvas).forEach((parts, fill) => cells.append(svgElement('path', { d: parts.join(''), fill })));
  const [w, h] = [Math.max(left + d * wide + widthOf(beside), legend.wide) + 8, low + widthOf(below) + 8];
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${w} ${h}`, width: w, height: h })) {
    root.setAttribute(key, value);
  }
  root.append(title, svgElement('rect', { width: w, height: h, fill: '#ffffff' }), ...legend.parts, cells);
  beside.forEach((text, y) => root.append(svgWord(left + d * wide + 6, low - (m - y - 0.5) * high + 4, text, 'start', 'row')));
  below.forEach((text, x) => {
    const word = svgWord(0, 0, text, 'end', 'sample');
    word.setAttribute('transform', `translate(${(left + (x + 0.5) * wide + 4).toFixed(1)} ${low + 6}) rotate(-90)`);
    root.append(word);
  });
  return root;
}

// Some pixels more than words of 11 pixels take beside a picture; 0 for none.
function widthOf(words) {
  return words.length === 0 ? 0 : 8 + Math.ceil(6.8 * words.reduce((most, text) => Math.max(most, Array.from(text).length), 0));
}

// Of each colour the parts of a path: its cells, of 1 by 1, runs of them as one.
function cellPaths(canvas) {
  const { width, height } = canvas;
  const bytes = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const pixels = new Uint32Array(bytes.buffer);
  const paths = new Map();
  for (let y = 0; y < height; y++) {
    for (let x = 0, end = 0; x < width; x = end) {
      const at = y * width + x;
      for (end = x + 1; end < width && pixels[y * width + end] === pixels[at];) {
        end++;
      }
      const fill = hex(Array.from(bytes.subarray(4 * at, 4 * at + 3)));
      if (!paths.has(fill)) {
        paths.set(fill, []);
      }
      paths.get(fill).push(`M${x} ${y}h${end - x}v1H${x}z`);
    }
  }
  return paths;
}

// Values to show colours of, and which part of the way from the least to the largest each is.
function stepsOf(by) {
  const [low, high] = rangeOf(by);
  return high > low ? [0, 0.25, 0.5, 0.75, 1].map((part) => [part, low + part * high - part * low]) : [[0.5, low]];
}

// Words and colours of a heat map, in lines of some width: { parts, wide, high }. limit: the value of the last colour, where cells are not standardized.
function heatLegend(by, most, limit) {
  const parts = [];
  let [x, y, wide] = [8, 18, 0];
  const put = (fill, text) => {
    const room = 16 + widthOf([text]);
    if (x > 8 && x + room > most) {
      [x, y] = [8, y + 16];
    }
    parts.push(svgElement('rect', { x, y: y - 9, width: 10, height: 10, fill }), svgWord(x + 14, y, text, 'start', 'legend'));
    x += room;
    wide = Math.max(wide, x);
  };
  if (by) {
    by.kinds.forEach((unused, c) => put(classColour(by, c + 1), shortOf(by.kinds, c, 24)));
    if (by.kinds.length === 0) {
      stepsOf(by).forEach(([part, v]) => put(paleToViolet(part), digits(v, 4)));
    }
    if (by.of.some((unused, j) => isNone(by, j))) {
      put(NO_GROUP, 'none');
    }
    [x, y] = [8, y + 16];
  }
  const unit = limit === undefined ? ' SD' : '';
  [-1, -0.5, 0, 0.5, 1].forEach((v) => put(hex(scaleColour(v)), digits(v * (limit ?? 2.5), 4).replace('-', '−') + (v === 1 ? unit : '')));
  put(hex(scaleColour(NaN)), 'missing');
  return { parts, wide, high: y };
}
