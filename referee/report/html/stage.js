// The map on the screen: boards, counters, what a finding points at; dragging and zooming.

const SIDES = ["#9fc5e8", "#e6a5a0", "#b6d7a8", "#ffe08a", "#d5b8ea", "#c9c4b8"];
const STACK_X = 3, STACK_Y = 5, HIGHEST = 12, READABLE = 48, MARGIN = 60, PAPER = [680, 620];

class Stage {
  constructor(onStack) {
    this.view = document.getElementById("stage");
    this.world = document.getElementById("world");
    this.onStack = onStack;
    this.scale = 1; this.x = 0; this.y = 0;
    this.pointers = new Map();
    this.fitted = true;
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.view);
  }

  /** Show a map window of a log. */
  open(reel, map) {
    this.reel = reel;
    this.map = map;
    this.window = reel.windows[map] || { name: "", boards: [], hexes: [] };
    this.nodes = [];
    this.shown = [];
    this.world.replaceChildren();
    for (const board of this.window.boards) this.world.append(this.board(board));
    this.grid = drawn("svg", { width: 1, height: 1 });
    this.marks = drawn("svg", { width: 1, height: 1 });
    this.counters = make("div");
    this.world.append(this.grid, this.counters, this.marks);
    this.marks.style.zIndex = 2;
    this.gridDrawn = false;
    this.fit();
  }

  board(board) {
    const place = `left:${board.x}px;top:${board.y}px;width:${board.width}px;height:${board.height}px`
      + (board.matrix ? `;transform-origin:0 0;transform:matrix(${board.matrix})` : "");
    const source = board.picture ? picture(this.reel, board.picture) : null;
    const look = "board" + (board.turned ? " turned" : "");
    return source ? make("img", { class: look, alt: "", draggable: "false", src: source, style: place })
      : make("div", { class: "board", style: place });
  }

  get bare() { return this.window.boards.every(board => !board.picture); }

  /** Hexes and their numbers, over the board's own picture. */
  numbers(wanted) {
    this.grid.style.display = wanted ? "" : "none";
    if (!wanted || this.gridDrawn || !this.window.hex) return;
    this.gridDrawn = true;
    requestAnimationFrame(() => setTimeout(() => this.drawGrid())); // the counters come first
  }

  drawGrid() {
    const shape = this.corners();
    const outline = this.window.hexes.map(([, x, y]) => "M" + shape.map(([dx, dy]) => `${x + dx},${y + dy}`).join("L") + "Z");
    this.grid.append(drawn("path", { class: "hexline", d: outline.join("") }));
    const high = Math.abs(shape[0][1]);
    for (const [label, x, y] of this.window.hexes)
      this.grid.append(drawn("text", { class: "hexnumber", x, y: y - high * 0.62 }, label));
  }

  /** The corners of a hex about its middle. */
  corners() {
    const { dx, dy, sideways } = this.window.hex;
    const flat = [[-dx / 3, -dy / 2], [dx / 3, -dy / 2], [dx * 2 / 3, 0], [dx / 3, dy / 2], [-dx / 3, dy / 2], [-dx * 2 / 3, 0]];
    return sideways ? flat.map(([x, y]) => [y, x]) : flat;
  }

  /** Put every counter where it is after a step; only what changed is touched. */
  show(step) {
    const { reel } = this;
    for (let index = 0; index < reel.tracks.length; index++) {
      const track = reel.tracks[index];
      const group = groupAt(track, step);
      const at = group * GROUP;
      const seen = group >= 0 && track[at + 1] === this.map;
      const node = this.nodes[index];
      if (node) node.classList.remove("moved", "accused", "doubted");
      if (!seen) {
        if (node && this.shown[index] !== -1) { node.style.display = "none"; this.shown[index] = -1; }
        continue;
      }
      if (this.shown[index] !== group) this.place(index, track, at, group);
      if (step > 0 && track[at] === step) this.nodes[index].classList.add("moved");
    }
  }

  place(index, track, at, group) {
    let node = this.nodes[index];
    if (!node) {
      node = this.nodes[index] = make("div", { class: "piece" });
      node.addEventListener("click", () => this.dragged || this.onStack(index));
      this.counters.append(node);
    }
    const [x, y, height, look] = [track[at + 2], track[at + 3], Math.min(track[at + 4], HIGHEST), track[at + 5]];
    node.style.display = "";
    node.style.transform = `translate(${x + STACK_X * height}px, ${y - STACK_Y * height}px)`;
    node.style.zIndex = height + 1;
    if (node.dataset.look !== String(look)) {
      node.dataset.look = look;
      paint(this.reel, this.reel.looks[look], node);
    }
    this.shown[index] = group;
  }

  /** Point at a finding: the units, the drag, the path with its costs, the zones. */
  point(finding, step) {
    this.marks.replaceChildren();
    if (!finding) return;
    const evidence = finding.evidence || {};
    const middle = new Map(this.window.hexes.map(([label, x, y]) => [label, [x, y]]));
    const points = hexes => (Array.isArray(hexes) ? hexes : [hexes]).map(hex => middle.get(String(hex))).filter(Boolean);
    const drag = points([finding.from, finding.to]);
    if (this.window.hex) {
      const shape = this.corners();
      const outline = ([x, y]) => "M" + shape.map(([dx, dy]) => `${x + dx},${y + dy}`).join("L") + "Z";
      const zones = points([evidence.zone, evidence.in_zone, evidence.zones].flat().filter(Boolean));
      for (const spot of zones) this.marks.append(drawn("path", { class: "zone", d: outline(spot) }));
      for (const spot of points([finding.to || finding.from, evidence.hex])) this.marks.append(drawn("path", { class: "spot", d: outline(spot) }));
    }
    const way = points(evidence.path || []);
    const line = spots => spots.map(spot => spot.join(",")).join(" ");
    if (way.length > 1) this.marks.append(drawn("polyline", { class: "way", points: line(way) }));
    else if (drag.length > 1) this.marks.append(drawn("polyline", { class: "way drag", points: line(drag) }));
    for (const cost of evidence.costs || []) {
      const [, hex, price] = /^(\S+): ([^ (]+)/.exec(cost) || [];
      const spot = middle.get(hex);
      if (spot) this.marks.append(drawn("text", { class: "cost", x: spot[0], y: spot[1] + 5 }, price));
    }
    const units = new Set(finding.units || []);
    this.nodes.forEach((node, index) => {
      const piece = node && this.shown[index] !== -1 ? pieceAt(this.reel, index, step) : null;
      if (piece && [...units].some(unit => piece.look.name === unit || piece.look.name.startsWith(unit + " ")))
        node.classList.add(finding.verdict === "illegal" ? "accused" : "doubted");
    });
    this.frame([...drag, ...way, ...points(evidence.hex)]);
  }

  // --- dragging and zooming

  size() {
    const ends = this.window.boards.flatMap(board => {
      const [a, b, c, d, e, f] = board.matrix || [1, 0, 0, 1, board.x, board.y];
      return [[0, 0], [board.width, 0], [0, board.height], [board.width, board.height]].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
    });
    if (!ends.length) for (const piece of piecesAt(this.reel, this.reel.rows.length)) if (piece.map === this.map) ends.push([piece.x + 60, piece.y + 60]);
    return [Math.max(100, ...ends.map(end => end[0])), Math.max(100, ...ends.map(end => end[1]))];
  }

  fit(wide = this.view.clientWidth, high = this.view.clientHeight) {
    const [width, height] = this.size();
    this.scale = Math.min(wide / width, high / height) || 1;
    this.x = (wide - width * this.scale) / 2;
    this.y = (high - height * this.scale) / 2;
    this.fitted = true;
    this.apply();
  }

  /** The window or the phone was turned: the whole map stays whole, else what was in the middle stays there. */
  resized() {
    const [wide, high] = [this.view.clientWidth, this.view.clientHeight];
    const [before, above] = this.shape || [wide, high];
    this.shape = [wide, high];
    if (!this.window || this.onPaper || !wide || !high) return;
    if (this.fitted) { this.fit(); return; }
    this.x += (wide - before) / 2;
    this.y += (high - above) / 2;
    this.apply();
  }

  /** What is shown, on a sheet of paper (viewer.css says how big the map is there), and back on the screen. */
  print(on) {
    if (!on) {
      [this.x, this.y, this.scale] = this.onPaper || [this.x, this.y, this.scale];
      this.onPaper = null;
      if (this.fitted) this.fit();
      this.apply();
      return;
    }
    this.onPaper = [this.x, this.y, this.scale];
    if (this.fitted) this.fit(...PAPER);
    else {
      const [wide, high] = [this.view.clientWidth, this.view.clientHeight];
      const scale = Math.min(PAPER[0] / wide, PAPER[1] / high) || 1;
      this.x = (this.x - wide / 2) * scale + PAPER[0] / 2;
      this.y = (this.y - high / 2) * scale + PAPER[1] / 2;
      this.scale *= scale;
    }
    this.apply();
  }

  zoom(factor, px = this.view.clientWidth / 2, py = this.view.clientHeight / 2) {
    const scale = Math.min(6, Math.max(0.05, this.scale * factor));
    this.x = px - (px - this.x) * scale / this.scale;
    this.y = py - (py - this.y) * scale / this.scale;
    this.scale = scale;
    this.fitted = false;
    this.apply();
  }

  /** Bring some spots of the map into view, big enough to read. */
  frame(spots) {
    if (!spots.length) return;
    const [xs, ys] = [0, 1].map(axis => spots.map(spot => spot[axis]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [wide, high] = [this.view.clientWidth - 2 * MARGIN, this.view.clientHeight - 2 * MARGIN];
    const readable = this.window.hex ? Math.max(this.scale, READABLE / this.window.hex.dy) : this.scale;
    this.scale = Math.min(readable, wide / (right - left || 1), high / (bottom - top || 1));
    const inView = (low, high_, shift, size) => low * this.scale + shift >= MARGIN && high_ * this.scale + shift <= MARGIN + size;
    if (!inView(left, right, this.x, wide)) this.x = MARGIN + wide / 2 - (left + right) / 2 * this.scale;
    this.fitted = false;
    if (!inView(top, bottom, this.y, high)) this.y = MARGIN + high / 2 - (top + bottom) / 2 * this.scale;
    this.apply();
  }

  apply() { this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`; }

  listen() {
    const { view, pointers } = this;
    const local = event => [event.clientX - view.getBoundingClientRect().left, event.clientY - view.getBoundingClientRect().top];
    view.addEventListener("wheel", event => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY * 0.0015), ...local(event)); }, { passive: false });
    view.addEventListener("pointerdown", event => { pointers.set(event.pointerId, local(event)); this.dragged = false; });
    view.addEventListener("pointermove", event => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = local(event);
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
      if (others.length) {
        const gap = spot => Math.hypot(spot[0] - others[0][0], spot[1] - others[0][1]) || 1;
        this.zoom(gap(now) / gap(before), ...others[0]);
      } else {
        if (Math.hypot(now[0] - before[0], now[1] - before[1]) < 3 && !this.dragged) return;
        if (!this.dragged) view.setPointerCapture(event.pointerId);
        this.dragged = true;
        this.fitted = false;
        view.classList.add("dragging");
        this.x += now[0] - before[0];
        this.y += now[1] - before[1];
        this.apply();
      }
      pointers.set(event.pointerId, now);
    });
    for (const over of ["pointerup", "pointercancel", "pointerleave"])
      view.addEventListener(over, event => { pointers.delete(event.pointerId); view.classList.remove("dragging"); });
  }
}

/** Paint a counter's look into a node, as VASSAL does: pictures about its point, labels beside them. */
function paint(reel, look, node) {
  node.replaceChildren(make("span", { class: "frame" }));
  let shown = 0;
  for (const [name, dx, dy, degrees, scale] of look.pictures) {
    const source = picture(reel, name);
    if (!source) continue;
    shown++;
    const style = `transform: rotate(${degrees}deg) translate(${dx}px, ${dy}px) scale(${scale}) translate(-50%, -50%)`;
    node.append(make("img", { src: source, alt: "", draggable: "false", style }));
  }
  if (!shown) {
    let hash = 0;
    for (const letter of look.side || look.name) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    node.append(make("span", { class: "plain", style: `background:${SIDES[hash % SIDES.length]}` }, look.name || "?"));
  }
  const down = { t: -34, c: 0, b: 34 }, across = { l: -34, c: 0, r: 34 };
  for (const label of look.labels) {
    const style = `left:${across[label.horizontal] || 0}px;top:${down[label.vertical] || 0}px;font-size:${label.size}px;`
      + `color:${label.colour || "#000"};background:${label.ground || "transparent"}`;
    node.append(make("span", { class: "text", style }, label.text));
  }
}
