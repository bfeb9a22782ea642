// The scan, tile by tile at the size that fits the zoom, and over it the grid, terrain, lines, doubts and the choice.
const DOUBT = "#ff0f7b", CHOSEN = "#ffb000";
const MOST_TILES = 96;
const SMALL = 12; // hexes lower than this many pixels of the screen are drawn without their outline
const AT_ONCE = 50;

class Scan {
  // `levels` from the finest to the coarsest, each {scale, tile, across, tiles: [base64 JPEG, ...]} row by row.
  constructor(levels, width, height, arrived) {
    this.levels = levels; this.width = width; this.height = height; this.arrived = arrived; this.loaded = new Map();
  }

  image(level, nth) {
    const key = `${level} ${nth}`;
    let image = this.loaded.get(key);
    if (image) { this.loaded.delete(key); this.loaded.set(key, image); return image; } // the latest used stand last
    image = new Image();
    image.onload = this.arrived;
    image.src = "data:image/jpeg;base64," + this.levels[level].tiles[nth];
    this.loaded.set(key, image);
    for (const old of [...this.loaded.keys()].slice(0, Math.max(0, this.loaded.size - MOST_TILES))) this.loaded.delete(old);
    return image;
  }

  // True when everything that can be seen is there; the coarsest level lies under what is still to come.
  draw(paint, view, wide, high, ratio) {
    const coarsest = this.levels.length - 1;
    let level = coarsest;
    while (level > 0 && this.levels[level].scale < view.scale * ratio * 0.9) level--;
    const whole = this.drawLevel(paint, coarsest, view, wide, high);
    return level === coarsest ? whole : this.drawLevel(paint, level, view, wide, high);
  }

  drawLevel(paint, level, view, wide, high) {
    const { scale, tile, across, tiles } = this.levels[level], step = tile / scale, down = tiles.length / across;
    const clamp = (value, most) => Math.min(most, Math.max(0, Math.floor(value)));
    const from = clamp(-view.x / view.scale / step, across - 1), to = clamp((wide - view.x) / view.scale / step, across - 1);
    const top = clamp(-view.y / view.scale / step, down - 1), bottom = clamp((high - view.y) / view.scale / step, down - 1);
    let whole = true;
    for (let row = top; row <= bottom; row++) for (let column = from; column <= to; column++) {
      const image = this.image(level, row * across + column);
      if (!image.complete || !image.naturalWidth) { whole = false; continue; }
      // whole pixels of the screen, so that no seam shows
      const x = Math.round(column * step * view.scale + view.x), y = Math.round(row * step * view.scale + view.y);
      const right = Math.round(Math.min((column + 1) * step, this.width) * view.scale + view.x);
      const under = Math.round(Math.min((row + 1) * step, this.height) * view.scale + view.y);
      paint.drawImage(image, x, y, right - x, under - y);
    }
    return whole;
  }
}

const part = (paths, kind) => paths.get(kind) || (paths.set(kind, new Path2D()), paths.get(kind));

class Overlay {
  constructor(paint, data, cells, sides, corrections) { Object.assign(this, { paint, data, cells, sides, corrections, unit: data.unit }); }

  colour(kind) { return this.data.colours[kind] || this.data.colours.other; }

  // `box` is what can be seen, in pixels of the scan; `pixel` is one pixel of the screen in them.
  draw(box, pixel, shown, chosen) {
    const { paint, unit } = this;
    const near = point => point.x > box.left - unit && point.x < box.right + unit && point.y > box.top - unit && point.y < box.bottom + unit;
    const seen = this.data.hexes.filter(near);
    paint.lineJoin = "round";
    if (shown.terrain) this.tints(seen, pixel);
    if (unit / pixel > SMALL) this.grid(seen, pixel);
    if (shown.doubts) this.doubts(seen, pixel);
    if (shown.lines) this.lines(near, pixel, shown.doubts);
    if (unit / pixel > 44) for (const hex of seen) this.label(hex, shown);
    if (chosen) this.choice(chosen, pixel);
  }

  outline(path, hex, size) {
    this.data.corners.forEach(([dx, dy], i) => i ? path.lineTo(hex.x + dx * size, hex.y + dy * size) : path.moveTo(hex.x + dx * size, hex.y + dy * size));
    path.closePath();
  }

  tints(seen, pixel) {
    const small = this.unit / pixel < SMALL, { paint } = this, [wide, high] = this.data.step;
    paint.globalAlpha = 0.26;
    for (const hex of seen) {
      const find = this.corrections.terrain.get(hex.number), kind = find ? find.kinds[0] : this.data.usual;
      if (!kind) continue;
      paint.fillStyle = this.colour(kind);
      if (small) { paint.fillRect(hex.x - wide / 2, hex.y - high / 2, wide, high); continue; }
      paint.beginPath(); this.outline(paint, hex, 1); paint.fill();
    }
    paint.globalAlpha = 1;
  }

  grid(seen, pixel) {
    const { paint } = this;
    paint.strokeStyle = "rgba(20,20,20,.5)"; paint.lineWidth = Math.max(0.7 * pixel, this.unit * 0.006);
    for (let at = 0; at < seen.length; at += AT_ONCE) { // a path of thousands of hexes takes seconds
      paint.beginPath();
      for (const hex of seen.slice(at, at + AT_ONCE)) this.outline(paint, hex, 1);
      paint.stroke();
    }
  }

  doubts(seen, pixel) {
    const path = new Path2D();
    for (const hex of seen) {
      const find = this.corrections.terrain.get(hex.number);
      if (find && find.sure < DOUBTFUL) this.outline(path, hex, 0.9);
    }
    this.paint.strokeStyle = DOUBT; this.paint.lineWidth = Math.max(2 * pixel, this.unit * 0.05);
    this.paint.stroke(path);
  }

  lines(near, pixel, doubts) {
    const { paint, corrections } = this, wide = Math.max(1.6 * pixel, this.unit * 0.05);
    const casing = new Path2D(), doubtful = new Path2D(), inks = new Map();
    const add = (from, to, found) => found.forEach((find, nth) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, off = (nth - (found.length - 1) / 2) * wide * 1.7;
      const nx = -(to[1] - from[1]) / length * off, ny = (to[0] - from[0]) / length * off;
      const paths = [casing, part(inks, find.kind), ...(doubts && find.sure < DOUBTFUL ? [doubtful] : [])];
      for (const path of paths) { path.moveTo(from[0] + nx, from[1] + ny); path.lineTo(to[0] + nx, to[1] + ny); }
    });
    for (const [key, found] of corrections.hexsides) {
      const side = this.sides.get(key);
      if (side && near(side)) add(side.ends[0], side.ends[1], found);
    }
    for (const [key, found] of corrections.links) {
      const [one, other] = key.split(" ").map(number => this.cells.get(number));
      if (near(one)) add([one.x, one.y], [other.x, other.y], found);
    }
    paint.lineCap = this.unit / pixel > 20 ? "round" : "butt";
    const stroke = (path, colour, width, dash = []) => { paint.strokeStyle = colour; paint.lineWidth = width; paint.setLineDash(dash); paint.stroke(path); };
    stroke(doubtful, DOUBT, wide * 3.2);
    stroke(casing, "rgb(255,255,255)", wide * 1.8);
    for (const [kind, path] of inks) stroke(path, this.colour(kind), wide, this.data.dashed.includes(kind) ? [wide * 2, wide * 2] : []);
    paint.setLineDash([]);
  }

  label(hex, shown) {
    const { paint, unit } = this, find = this.corrections.terrain.get(hex.number);
    const write = (text, y, size) => {
      paint.font = `600 ${unit * size}px system-ui, sans-serif`; paint.textAlign = "center";
      paint.lineWidth = unit * 0.045; paint.strokeStyle = "rgba(255,255,255,.85)"; paint.strokeText(text, hex.x, y, unit);
      paint.fillStyle = "#101418"; paint.fillText(text, hex.x, y, unit);
    };
    if (shown.numbers) write(hex.number, hex.y - unit * 0.33, 0.13);
    const words = [find ? find.kind + (find.kinds.length > 1 ? "?" : "") : this.data.usual, ...this.corrections.placesAt(hex.number).map(place => place.name || place.kind)];
    if (shown.terrain && words[0]) write([...new Set(words)].join(" + "), hex.y + unit * 0.42, 0.14);
  }

  choice({ mode, target }, pixel) {
    const { paint } = this, wide = Math.max(4 * pixel, this.unit * 0.07);
    paint.beginPath();
    if (mode === "hex" || mode === "place") this.outline(paint, this.cells.get(target), 0.96);
    else {
      const side = this.sides.get(this.corrections.key(target));
      const ends = mode === "side" ? side.ends : target.map(number => [this.cells.get(number).x, this.cells.get(number).y]);
      paint.moveTo(...ends[0]); paint.lineTo(...ends[1]);
      paint.moveTo(side.x + this.unit * 0.2, side.y); paint.arc(side.x, side.y, this.unit * 0.2, 0, 7);
    }
    paint.lineWidth = wide * 1.6; paint.strokeStyle = "#101418"; paint.stroke();
    paint.lineWidth = wide; paint.strokeStyle = CHOSEN; paint.stroke();
  }
}
