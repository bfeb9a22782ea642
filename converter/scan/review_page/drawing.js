// The scan, tile by tile at the size that fits the zoom, and over it the grid, terrain, lines, doubts and the choice.
const DOUBT = "#ff0f7b", CHOSEN = "#ffb000";
const MOST_TILES = 96;

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

class Overlay {
  constructor(paint, data, cells, sides, corrections) { Object.assign(this, { paint, data, cells, sides, corrections, unit: data.unit }); }

  colour(kind) { return this.data.colours[kind] || this.data.colours.other; }

  // `box` is what can be seen, in pixels of the scan; `pixel` is one pixel of the screen in them.
  draw(box, pixel, shown, chosen) {
    const { paint, unit } = this;
    const near = point => point.x > box.left - unit && point.x < box.right + unit && point.y > box.top - unit && point.y < box.bottom + unit;
    const seen = this.data.hexes.filter(near);
    paint.lineJoin = "round";
    if (shown.terrain) for (const hex of seen) this.tint(hex);
    paint.strokeStyle = "rgba(20,20,20,.5)"; paint.lineWidth = Math.max(0.7 * pixel, unit * 0.006);
    paint.beginPath();
    for (const hex of seen) this.outline(hex, 1);
    paint.stroke();
    if (shown.doubts) for (const hex of seen) this.doubt(hex, pixel);
    if (shown.lines) this.lines(near, pixel, shown.doubts);
    if (unit / pixel > 44) for (const hex of seen) this.label(hex, shown);
    if (chosen) this.choice(chosen, pixel);
  }

  outline(hex, size) {
    this.data.corners.forEach(([dx, dy], i) => i ? this.paint.lineTo(hex.x + dx * size, hex.y + dy * size) : this.paint.moveTo(hex.x + dx * size, hex.y + dy * size));
    this.paint.closePath();
  }

  tint(hex) {
    const find = this.corrections.terrain.get(hex.number), kind = find ? find.kinds[0] : this.data.usual;
    if (!kind) return;
    this.paint.globalAlpha = 0.26; this.paint.fillStyle = this.colour(kind);
    this.paint.beginPath(); this.outline(hex, 1); this.paint.fill(); this.paint.globalAlpha = 1;
  }

  doubt(hex, pixel) {
    const find = this.corrections.terrain.get(hex.number);
    if (!find || find.sure >= DOUBTFUL) return;
    this.paint.strokeStyle = DOUBT; this.paint.lineWidth = Math.max(2 * pixel, this.unit * 0.05);
    this.paint.beginPath(); this.outline(hex, 0.9); this.paint.stroke();
  }

  lines(near, pixel, doubts) {
    this.paint.lineCap = "round";
    const { hexsides, links } = this.corrections;
    for (const [key, found] of hexsides) {
      const side = this.sides.get(key);
      if (side && near(side)) found.forEach((find, i) => this.line(side.ends[0], side.ends[1], find, i, found.length, pixel, doubts));
    }
    for (const [key, found] of links) {
      const [one, other] = key.split(" ").map(number => this.cells.get(number));
      if (near(one)) found.forEach((find, i) => this.line([one.x, one.y], [other.x, other.y], find, i, found.length, pixel, doubts));
    }
    this.paint.setLineDash([]);
  }

  line(from, to, find, nth, all, pixel, doubts) {
    const { paint, unit } = this, length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const wide = Math.max(1.6 * pixel, unit * 0.05), off = (nth - (all - 1) / 2) * wide * 1.7;
    const nx = -(to[1] - from[1]) / length * off, ny = (to[0] - from[0]) / length * off;
    paint.beginPath(); paint.moveTo(from[0] + nx, from[1] + ny); paint.lineTo(to[0] + nx, to[1] + ny);
    paint.setLineDash([]);
    if (doubts && find.sure < DOUBTFUL) { paint.lineWidth = wide * 3.2; paint.strokeStyle = DOUBT; paint.stroke(); }
    paint.lineWidth = wide * 1.8; paint.strokeStyle = "rgba(255,255,255,.9)"; paint.stroke();
    paint.setLineDash(this.data.dashed.includes(find.kind) ? [wide * 2, wide * 2] : []);
    paint.lineWidth = wide; paint.strokeStyle = this.colour(find.kind); paint.stroke();
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
    if (shown.terrain && words[0]) write(words.join(" + "), hex.y + unit * 0.42, 0.14);
  }

  choice({ mode, target }, pixel) {
    const { paint } = this, wide = Math.max(4 * pixel, this.unit * 0.07);
    paint.beginPath();
    if (mode === "hex" || mode === "place") this.outline(this.cells.get(target), 0.96);
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
