// The page: choose something on the map or in the list, say what it really is, save.
const by = id => document.getElementById(id);
const data = JSON.parse(by("data").textContent);
const canvas = by("map"), paint = canvas.getContext("2d");
const MODES = { hex: ["H", "terrain"], side: ["S", "hexsides"], link: ["R", "links"], place: ["P", "places"] };
const LISTED = 300;

data.hexes = data.hexes.map(([number, column, row, x, y], rank) => ({ number, column, row, x, y, rank }));
const cells = new Map(data.hexes.map(hex => [hex.number, hex]));
const allSides = data.sides.map(([one, other, x1, y1, x2, y2]) => ({
  pair: [data.hexes[one].number, data.hexes[other].number], ends: [[x1, y1], [x2, y2]], x: (x1 + x2) / 2, y: (y1 + y2) / 2,
}));
const sides = new Map(allSides.map(side => [side.pair.join(" "), side]));
const corrections = new Corrections(data.map, cells);
const scan = new Scan(JSON.parse(by("scan").textContent), data.width, data.height, () => ask());
const overlay = new Overlay(paint, data, cells, sides, corrections);
let view = { x: 0, y: 0, scale: 1 }, mode = "hex", chosen = null, brush = {}, asked = false, finds = [];

// --- drawing ---
function ask() { if (!asked) { asked = true; requestAnimationFrame(draw); } }

function draw() {
  asked = false;
  const wide = canvas.clientWidth, high = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
    canvas.width = Math.round(wide * ratio); canvas.height = Math.round(high * ratio);
  }
  paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint.fillStyle = "#2b2f33"; paint.fillRect(0, 0, wide, high);
  const whole = scan.draw(paint, view, wide, high, ratio);
  paint.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const box = { left: -view.x / view.scale, top: -view.y / view.scale, right: (wide - view.x) / view.scale, bottom: (high - view.y) / view.scale };
  const shown = Object.fromEntries(["terrain", "lines", "doubts", "numbers"].map(name => [name, by(`show-${name}`).checked]));
  overlay.draw(box, 1 / view.scale, shown, chosen);
  if (whole) document.body.dataset.ready = "yes";
}

function show(point, scale) {
  view = { scale, x: canvas.clientWidth / 2 - point.x * scale, y: canvas.clientHeight / 2 - point.y * scale };
  ask();
}

const wholeMap = () => show({ x: data.width / 2, y: data.height / 2 }, Math.min(canvas.clientWidth / data.width, canvas.clientHeight / data.height) * 0.97);

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(320 / data.unit, Math.max(0.02, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale; view.y = y - (y - view.y) * scale / view.scale; view.scale = scale;
  ask();
}

// --- choosing ---
const onHex = () => mode === "hex" || mode === "place";
const spots = () => onHex() ? data.hexes : allSides;
const targetOf = spot => onHex() ? spot.number : spot.pair;
const spotOf = ({ mode, target }) => mode === "hex" || mode === "place" ? cells.get(target) : sides.get(corrections.key(target));
const same = (a, b) => a && b && a.mode === b.mode && String(a.target) === String(b.target);

function nearest(point) {
  let best = null, away = data.unit * (onHex() ? 0.75 : 0.5);
  for (const spot of spots()) {
    const far = Math.hypot(spot.x - point.x, spot.y - point.y);
    if (far < away) [best, away] = [spot, far];
  }
  return best;
}

function choose(next) { chosen = next; tell(); ask(); }

function setMode(next) {
  mode = next;
  if (chosen && chosen.mode !== mode) chosen = onHex() && typeof chosen.target === "string" ? { mode, target: chosen.target } : null;
  tell(); ask();
}

function click(point) {
  const spot = nearest(point);
  if (!spot) return choose(null);
  chosen = { mode, target: targetOf(spot) };
  if (by("brush").checked && brush[mode]) set(brush[mode]); else tell();
  ask();
}

// From what is chosen (or the middle of what can be seen) to the next one over.
function walk(dx, dy) {
  const from = chosen ? spotOf(chosen) : { x: (canvas.clientWidth / 2 - view.x) / view.scale, y: (canvas.clientHeight / 2 - view.y) / view.scale };
  let best = null, least = data.unit * 2.2;
  for (const spot of spots()) {
    const along = (spot.x - from.x) * dx + (spot.y - from.y) * dy, aside = Math.abs((spot.x - from.x) * dy - (spot.y - from.y) * dx);
    const cost = along + 1.5 * aside;
    if ((along > data.unit * 0.1 && aside <= along * 1.2 || !chosen) && (chosen ? cost : Math.hypot(along, aside)) < least) [best, least] = [spot, chosen ? cost : Math.hypot(along, aside)];
  }
  if (!best) return;
  choose({ mode, target: targetOf(best) });
  const x = best.x * view.scale + view.x, y = best.y * view.scale + view.y;
  if (x < 40 || y < 40 || x > canvas.clientWidth - 40 || y > canvas.clientHeight - 40) show(best, view.scale);
}

// --- correcting ---
const foundAt = ({ mode, target }) => mode === "hex" ? [corrections.terrain.get(target)].filter(Boolean)
  : mode === "place" ? corrections.placesAt(target) : corrections.at(MODES[mode][1], target);

function set(kind) {
  if (!chosen) return say("choose something on the map first");
  if (mode === "hex") {
    const find = corrections.terrain.get(chosen.target);
    if (find && find.kinds.length === 1 && find.kinds[0] === kind && !find.source.scan) return say(`${chosen.target} is ${kind} already`);
    corrections.setTerrain(chosen.target, kind);
  } else if (mode === "place") corrections.togglePlace(chosen.target, kind);
  else corrections.toggle(MODES[mode][1], chosen.target, kind);
  changed();
}

function press(kind) {
  if (by("brush").checked) { brush[mode] = kind; tell(); } else set(kind);
}

function otherKind() {
  const word = prompt("Another kind, a word in small letters such as minor-river:");
  if (word === null) return;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word)) return say(`"${word}" is no such word: small letters, digits and hyphens`);
  const kinds = data.kinds[MODES[mode][1]];
  if (!kinds.includes(word)) kinds.push(word);
  press(word); tell();
}

function right() {
  if (!chosen) return;
  if (!corrections.confirm(chosen.mode, chosen.target)) return say("say what it is first");
  changed();
  go(1);
}

function changed() { say(corrections.last.text); refresh(); }
function takeBack() { const step = corrections.undo(); if (step) { say(`taken back: ${step.text}`); refresh(); } }
function again() { const step = corrections.redo(); if (step) { say(`again: ${step.text}`); refresh(); } }

// --- saving ---
const text = () => corrections.yaml(data.head, data.tail);

function saved(how) { corrections.saved = corrections.last; say(how); refresh(); }

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text()], { type: "text/yaml" }));
  link.download = "map.yaml";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  saved("downloaded: put it in place of the old map.yaml");
}

async function save() {
  const upTo = corrections.last;
  try {
    const answer = await fetch("save", { method: "POST", body: text() });
    if (!answer.ok) return say(`not saved: ${await answer.text()}`);
    corrections.saved = upTo; say("map.yaml saved"); refresh();
  } catch {
    say("not saved: hexref no longer runs; download the map instead");
  }
}

// --- the panel ---
const say = words => { by("said").textContent = words; };
const element = (name, properties = {}, ...inside) => { const made = Object.assign(document.createElement(name), properties); made.append(...inside); return made; };
const percent = sure => `${Math.round(sure * 100)}%`;

function swatch(kind, section) {
  const made = element("span", { className: `swatch${section === "hexsides" || section === "links" ? " line" : ""}` }), colour = overlay.colour(kind);
  made.style.background = data.dashed.includes(kind) ? `repeating-linear-gradient(90deg, ${colour} 0 4px, #fff 4px 7px)` : colour;
  return made;
}

function nameOf({ mode, target }) {
  return mode === "hex" ? `Hex ${target}` : mode === "place" ? `Places in ${target}` : mode === "side" ? `Hexside ${target.join("/")}` : `From ${target[0]} to ${target[1]}`;
}

function told(find) {
  const { scan, person, rule, module, confidence } = find.source;
  const who = person === OWN.person ? "you say so" : scan ? `${percent(confidence ?? 1)} sure` : person || (rule ? `rule ${rule}` : module);
  return `${find.name ? `${find.name}, ` : ""}${find.kind} (${who})`;
}

function tell() {
  const painting = by("brush").checked, section = MODES[mode][1], here = chosen ? foundAt(chosen) : [];
  for (const name of Object.keys(MODES)) by(`mode-${name}`).setAttribute("aria-pressed", String(name === mode));
  canvas.classList.toggle("brush", painting);
  const lead = chosen ? nameOf(chosen) : painting ? "Choose a kind, then click the map" : "Click the map or a doubt below";
  const nothing = chosen ? mode === "hex" ? (data.usual ? `${data.usual} (the usual terrain)` : "terrain unknown") : "nothing found" : "";
  by("card").replaceChildren(element("b", { textContent: lead }), element("span", { textContent: here.map(told).join(", ") || nothing }));
  const marked = painting ? [brush[mode]] : here.flatMap(find => find.kinds || [find.kind]);
  by("kinds").replaceChildren(...data.kinds[section].map((kind, i) => {
    const button = element("button", { title: i < 9 ? `key ${i + 1}` : "" }, swatch(kind, section), kind, ...(i < 9 ? [element("small", { textContent: i + 1 })] : []));
    button.dataset.kind = kind;
    button.setAttribute("aria-pressed", String(marked.includes(kind)));
    button.onclick = () => press(kind);
    return button;
  }), element("button", { textContent: "other…", onclick: otherKind }));
  by("right").disabled = !here.some(find => find.source.scan) || mode === "hex" && here[0].kinds.length > 1;
  for (const row of by("list").querySelectorAll("button")) row.setAttribute("aria-current", String(same(row.find, chosen)));
}

function refresh() {
  finds = corrections.finds();
  const doubts = finds.filter(find => find.sure < DOUBTFUL).length, steps = corrections.done.length;
  by("undo").disabled = !steps; by("redo").disabled = !corrections.undone.length;
  for (const name of ["save", "download"]) by(name).classList.toggle("due", corrections.unsaved);
  by("summary").textContent = `${data.hexes.length} hexes · ${doubts} in doubt · ${steps ? `${steps} correction${steps > 1 ? "s" : ""}${corrections.unsaved ? ", not saved yet" : ", saved"}` : "no corrections yet"}`;
  by("doubts").textContent = doubts ? `${doubts} doubts, the least sure first` : "No doubts are left; the rest, the least sure first";
  list(); tell(); ask();
}

function list() {
  const rows = finds.slice(0, LISTED).map(find => {
    const button = element("button", { find, onclick: () => goTo(find) }, swatch(listOf(find.what)[0].split(" or ")[0], MODES[find.mode][1]),
      element("b", { textContent: `${find.name} ${find.what}` }), element("i", { textContent: percent(find.sure) }));
    return element("li", { className: find.sure < DOUBTFUL ? "doubtful" : "" }, button);
  });
  if (finds.length > LISTED) rows.push(element("p", { textContent: `and ${finds.length - LISTED} surer ones` }));
  by("list").replaceChildren(...rows);
}

function goTo(find) {
  mode = find.mode;
  show(spotOf(find), Math.max(view.scale, 90 / data.unit));
  choose({ mode, target: find.target });
  const row = [...by("list").querySelectorAll("button")].find(button => same(button.find, chosen));
  if (row) row.scrollIntoView({ block: "nearest" });
}

// The next doubt in the list after the chosen one (or the one before it).
function go(step) {
  if (!finds.length) return say("no doubts are left");
  const at = finds.findIndex(find => same(find, chosen));
  goTo(finds[at < 0 ? (step > 0 ? 0 : finds.length - 1) : (at + step + finds.length) % finds.length]);
}

// --- mouse and keys ---
let drag = null;
canvas.onpointerdown = event => {
  if (event.button > 1) return;
  drag = { x: event.offsetX, y: event.offsetY, moved: false, pans: event.button === 1 };
  canvas.setPointerCapture(event.pointerId);
};
canvas.onpointermove = event => {
  if (!drag) return;
  const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;
  if (drag.moved || Math.hypot(dx, dy) > 4) { view.x += dx; view.y += dy; drag = { ...drag, x: event.offsetX, y: event.offsetY, moved: true }; ask(); }
};
canvas.onpointerup = event => {
  if (drag && !drag.moved && !drag.pans) click({ x: (event.offsetX - view.x) / view.scale, y: (event.offsetY - view.y) / view.scale });
  drag = null;
};
canvas.onpointercancel = () => { drag = null; };
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY); }, { passive: false });

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = {
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: wholeMap, n: () => go(1), b: () => go(-1),
  Enter: right, Escape: () => choose(null), h: () => setMode("hex"), s: () => setMode("side"), r: () => setMode("link"), p: () => setMode("place"),
};
const WITH_CONTROL = { z: event => event.shiftKey ? again() : takeBack(), y: again, s: () => data.served ? save() : download() };

window.onkeydown = event => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (WITH_CONTROL[key]) { event.preventDefault(); WITH_CONTROL[key](event); }
    return;
  }
  if (key === "Enter" && event.target.closest("button, summary")) return; // a button does what it says
  if (ARROWS[key]) {
    if (event.target.closest("input")) return;
    event.preventDefault();
    const [dx, dy] = ARROWS[key];
    if (event.shiftKey) { view.x -= 80 * dx; view.y -= 80 * dy; ask(); } else walk(dx, dy);
  } else if (KEYS[key]) { event.preventDefault(); KEYS[key](); }
  else if (/^[1-9]$/.test(key)) {
    const button = by("kinds").querySelectorAll("[data-kind]")[key - 1];
    if (button) button.click();
  }
};
window.onbeforeunload = event => { if (corrections.unsaved) event.preventDefault(); };
window.onresize = ask;

for (const name of Object.keys(MODES)) by(`mode-${name}`).onclick = () => setMode(name);
for (const name of ["terrain", "lines", "doubts", "numbers"]) by(`show-${name}`).onchange = ask;
by("brush").onchange = tell;
by("right").onclick = right; by("undo").onclick = takeBack; by("redo").onclick = again; by("download").onclick = download; by("save").onclick = save;
by("zoom-in").onclick = () => zoom(1.4); by("zoom-out").onclick = () => zoom(1 / 1.4); by("zoom-all").onclick = wholeMap;
document.body.classList.toggle("is-served", data.served);
by("help").open = window.innerHeight > 800;
wholeMap();
refresh();
