// The map as map.yaml has it, and every correction to it as a step that can be taken back.
const OWN = { person: "reviewed on the scan" };
const DOUBTFUL = 0.8;
const sureOf = source => source.confidence ?? 1;
const isOwn = item => item.source.person === OWN.person && !item.name && !item.note && !item.side;
const listOf = kind => Array.isArray(kind) ? kind : [kind];

class Corrections {
  // `given` is the map's data, its runs of hexes written out; `cells` has each hex's column, row and rank in the grid's order.
  constructor(given, cells) {
    this.map = given; this.cells = cells; this.done = []; this.undone = []; this.saved = undefined;
    this.look();
  }

  get last() { return this.done[this.done.length - 1]; }
  get unsaved() { return this.last !== this.saved; }
  key(pair) { return this.cells.get(pair[0]).rank < this.cells.get(pair[1]).rank ? pair.join(" ") : `${pair[1]} ${pair[0]}`; }

  // --- steps ---
  step(section, text, correct) {
    const before = JSON.stringify(this.map[section] || []);
    const after = JSON.stringify(correct(JSON.parse(before)).filter(item => (item.hexes || item.between || item.path || item.route).length));
    this.done.push({ section, text, before, after });
    this.undone = [];
    this.put(section, after);
  }

  put(section, text) { this.map[section] = JSON.parse(text); this.look(); }

  undo() {
    const step = this.done.pop();
    if (step) { this.undone.push(step); this.put(step.section, step.before); }
    return step;
  }

  redo() {
    const step = this.undone.pop();
    if (step) { this.done.push(step); this.put(step.section, step.after); }
    return step;
  }

  // --- hexes ---
  setTerrain(number, kind) {
    this.step("terrain", `${number} is ${kind}`, items => {
      for (const item of items) item.hexes = item.hexes.filter(hex => hex !== number);
      const mine = items.find(item => item.kind === kind && isOwn(item));
      if (mine) mine.hexes = this.inOrder([...mine.hexes, number]);
      else items.push({ kind, source: OWN, hexes: [number] });
      return items;
    });
  }

  inOrder(hexes) { return hexes.sort((a, b) => this.cells.get(a).rank - this.cells.get(b).rank); }

  togglePlace(number, kind) {
    const there = this.placesAt(number).some(find => find.kind === kind);
    this.step("places", there ? `no ${kind} in ${number}` : `${kind} in ${number}`, items => {
      const left = items.flatMap(item => without(item, number, kind));
      return there ? left : [...left, { kinds: [kind], hexes: [number], source: OWN }];
    });
  }

  // --- hexsides, and links across them ---
  toggle(section, pair, kind) {
    const there = this.at(section, pair).some(find => find.kind === kind), name = pair.join(section === "links" ? "-" : "/");
    this.step(section, there ? `no ${kind} ${name}` : `${kind} ${name}`, items => {
      if (there) return this.remove(items, pair, found => found === kind);
      // "none" says that there is surely nothing, so it stands alone
      const left = this.remove(items, pair, found => kind === "none" || found === "none");
      return this.add(left, section, pair, kind);
    });
  }

  remove(items, pair, fits) {
    const key = this.key(pair);
    return items.flatMap(item => {
      if (!fits(item.kind)) return [item];
      if (item.between) return [{ ...item, between: item.between.filter(one => this.key(one) !== key) }];
      return item.path ? this.cut(item, key) : [item];
    });
  }

  cut(link, key) {
    const parts = [[link.path[0]]];
    link.path.slice(1).forEach((number, i) => {
      if (this.key([link.path[i], number]) === key) parts.push([number]); else parts[parts.length - 1].push(number);
    });
    return parts.length === 1 ? [link] : parts.filter(path => path.length > 1).map(path => ({ ...link, path }));
  }

  add(items, section, pair, kind) {
    if (section === "links") {
      const mine = items.find(item => item.kind === kind && item.path && isOwn(item) && pair.some(hex => hex === item.path[item.path.length - 1]));
      if (!mine) return [...items, { kind, source: OWN, path: pair }];
      mine.path.push(pair.find(hex => hex !== mine.path[mine.path.length - 1]));
      return items;
    }
    const mine = items.find(item => item.kind === kind && isOwn(item));
    if (!mine) return [...items, { kind, source: OWN, between: [pair] }];
    mine.between.push(pair);
    return items;
  }

  // --- it is right as it stands: from now on a person says so ---
  confirm(mode, target) {
    if (mode === "hex") {
      const find = this.terrain.get(target);
      if (!find || find.kinds.length > 1) return false;
      this.setTerrain(target, find.kinds[0]);
    } else if (mode === "place") {
      const kinds = this.placesAt(target).map(find => find.kind);
      if (!kinds.length) return false;
      this.step("places", `${kinds.join(", ")} in ${target} confirmed`, items => items.flatMap(item => {
        if (!item.hexes.includes(target)) return [item];
        const rest = item.hexes.filter(hex => hex !== target);
        return [...(rest.length ? [{ ...item, hexes: rest }] : []), { ...item, hexes: [target], source: OWN }];
      }));
    } else {
      const section = sectionOf(mode), finds = this.at(section, target);
      if (!finds.length) return false;
      this.step(section, `${finds.map(find => find.kind).join(", ")} ${target.join("/")} confirmed`, items =>
        finds.reduce((all, find) => this.add(this.remove(all, target, kind => kind === find.kind), section, target, find.kind), items));
    }
    this.last.text = this.last.text.replace(/ confirmed$/, "") + " (confirmed)";
    return true;
  }

  // --- what the map says now, looked up quickly ---
  look() {
    this.terrain = new Map(); this.hexsides = new Map(); this.links = new Map(); this.places = new Map();
    const push = (where, key, find) => where.has(key) ? where.get(key).push(find) : where.set(key, [find]);
    const told = (item, kind) => ({ kind, sure: sureOf(item.source), source: item.source, name: item.name });
    for (const item of this.map.terrain || []) for (const hex of item.hexes) {
      this.terrain.set(hex, { ...told(item, listOf(item.kind).join(" or ")), kinds: listOf(item.kind) });
    }
    for (const item of this.map.hexsides || []) for (const pair of item.between) push(this.hexsides, this.key(pair), told(item, item.kind));
    for (const item of this.map.links || []) (item.path || []).slice(1).forEach((hex, i) =>
      push(this.links, this.key([item.path[i], hex]), told(item, item.kind)));
    for (const item of this.map.places || []) for (const hex of item.hexes) for (const kind of item.kinds) push(this.places, hex, told(item, kind));
  }

  at(section, pair) { return this[section].get(this.key(pair)) || []; }
  placesAt(number) { return this.places.get(number) || []; }

  finds() {
    const all = [];
    const tell = (mode, target, name, find) => all.push({ mode, target, name, what: find.kind, sure: find.sure });
    for (const [hex, find] of this.terrain) tell("hex", hex, hex, find);
    for (const [key, found] of this.hexsides) for (const find of found) tell("side", key.split(" "), key.replace(" ", "/"), find);
    for (const [key, found] of this.links) for (const find of found) tell("link", key.split(" "), key.replace(" ", "-"), find);
    for (const [hex, found] of this.places) for (const find of found) tell("place", hex, hex, find);
    return all.filter(find => find.sure < 1).sort((a, b) => a.sure - b.sure || (a.name < b.name ? -1 : 1));
  }

  // The whole file: what cannot be corrected here stands as it was given.
  yaml(head, tail) {
    const folded = items => (items || []).map(item => item.hexes ? { ...item, hexes: this.runs(item.hexes) } : item);
    return head + ["terrain", "hexsides", "links", "places"].map(name => sectionText(name, folded(this.map[name]))).join("") + tail;
  }

  runs(hexes) {
    const cell = i => this.cells.get(hexes[i]);
    const follows = i => cell(i).column === cell(i - 1).column && cell(i).row === cell(i - 1).row + 1, out = [];
    for (let at = 0, end; at < hexes.length; at = end) {
      for (end = at + 1; end < hexes.length && follows(end);) end++;
      if (end - at >= 3) out.push(`${hexes[at]}..${hexes[end - 1]}`); else out.push(...hexes.slice(at, end));
    }
    return out;
  }
}

const sectionOf = mode => mode === "side" ? "hexsides" : "links";

// A place without one kind in one hex: other hexes and other kinds of it stay.
function without(item, number, kind) {
  if (!item.hexes.includes(number) || !item.kinds.includes(kind)) return [item];
  const hexes = item.hexes.filter(hex => hex !== number), kinds = item.kinds.filter(one => one !== kind);
  const { name, ...nameless } = item;
  return [
    ...(hexes.length ? [{ ...item, hexes }] : []),
    ...(kinds.length ? [{ ...(hexes.length ? nameless : item), kinds, hexes: [number] }] : []),
  ];
}
