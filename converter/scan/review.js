"use strict";
// The review page: draws what was found over the scan, takes corrections, gives back the map.yaml with just those.
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("map"), paint = canvas.getContext("2d");
const by = id => document.getElementById(id);
const scan = new Image();
const place = new Map(data.hexes.map((hex, i) => [hex.number, i]));
const sideOf = new Map(data.sides.map((side, i) => [side.pair.join(" "), i]));
const COLOURS = ["#2f7dd1", "#3b9a4b", "#b9822f", "#8b4fb0", "#c0443b", "#218f8f", "#7a6a2a", "#d06aa0", "#5b6b7b", "#98a72c"];
const colour = new Map();
const colourOf = kind => colour.get(kind) || (colour.set(kind, COLOURS[colour.size % COLOURS.length]), colour.get(kind));
data.kinds.terrain.forEach(colourOf); data.kinds.links.forEach(colourOf); data.kinds.hexsides.forEach(colourOf);
let view = { x: 0, y: 0, scale: 0.2 }, mode = "hex", current = null, undo = [], asked = false;

// --- the map, as map.yaml has it -------------------------------------------------------------------------------
const map = data.map;
const own = { person: "reviewed on the scan" };
const pairKey = pair => [...pair].sort((a, b) => place.get(a) - place.get(b)).join(" ");
const terrainAt = number => (map.terrain || []).find(entry => entry.hexes.includes(number));
const entriesOf = (section, kind) => (map[section] || []).filter(entry => entry.kind === kind);
const holds = (entry, key) => entry.between ? entry.between.some(pair => pairKey(pair) === key) : stepsOf(entry).includes(key);
const stepsOf = link => (link.path || []).slice(1).map((number, i) => pairKey([link.path[i], number]));
const tidy = section => { map[section] = map[section].filter(entry => (entry.hexes || entry.between || entry.path || entry.route).length); };

function change(section, what, action) {
  undo.push({ section, before: JSON.stringify(map[section] || []), what });
  map[section] = map[section] || [];
  action();
  tidy(section);
  if (!map[section].length) delete map[section];
  say(what);
  refresh();
}

function setTerrain(number, kind) {
  if (terrainAt(number) && terrainAt(number).kind === kind) return say(`${number} is ${kind} already`);
  change("terrain", `${number} is now ${kind}`, () => {
    for (const entry of map.terrain) entry.hexes = entry.hexes.filter(hex => hex !== number);
    const mine = map.terrain.find(entry => entry.kind === kind && entry.source.person === own.person);
    if (mine) mine.hexes.push(number); else map.terrain.push({ kind, source: own, hexes: [number] });
  });
}

function toggle(section, pair, kind) {
  const key = pairKey(pair), there = entriesOf(section, kind).filter(entry => holds(entry, key));
  const label = `${kind} ${pair.join(" - ")}`;
  change(section, there.length ? `${label} taken away` : `${label} added`, () => {
    if (there.length && section === "hexsides") {
      for (const entry of there) entry.between = entry.between.filter(one => pairKey(one) !== key);
    } else if (there.length) {
      for (const entry of there) map.links.splice(map.links.indexOf(entry), 1, ...cutPath(entry, key));
    } else map[section].push(section === "links" ? { kind, source: own, path: pair } : { kind, source: own, between: [pair] });
  });
}

function cutPath(link, key) {
  const parts = [[link.path[0]]];
  link.path.slice(1).forEach((number, i) => {
    if (pairKey([link.path[i], number]) === key) parts.push([number]); else parts[parts.length - 1].push(number);
  });
  return parts.filter(path => path.length > 1).map(path => ({ ...link, path }));
}

function togglePlace(number, kind) {
  const there = (map.places || []).filter(entry => entry.kinds.includes(kind) && entry.hexes.includes(number));
  change("places", `${kind} in ${number} ${there.length ? "taken away" : "added"}`, () => {
    for (const entry of there) entry.hexes = entry.hexes.filter(hex => hex !== number);
    if (!there.length) map.places.push({ kinds: [kind], hexes: [number], source: own });
  });
}

function takeBack() {
  const last = undo.pop();
  if (!last) return;
  map[last.section] = JSON.parse(last.before);
  if (!map[last.section].length) delete map[last.section];
  say(`taken back: ${last.what}`);
  refresh();
}

// --- map.yaml as text -------------------------------------------------------------------------------------------
const flow = value => Array.isArray(value) ? `[${value.map(flow).join(", ")}]`
  : value && typeof value === "object" ? `{${Object.entries(value).map(([key, item]) => `${key}: ${flow(item)}`).join(", ")}}`
  : JSON.stringify(value);

function runs(hexes) {
  const out = [], column = number => data.hexes[place.get(number)].column;
  for (let at = 0, end; at < hexes.length; at = end) {
    end = at + 1;
    while (end < hexes.length && place.get(hexes[end]) === place.get(hexes[end - 1]) + 1 && column(hexes[end]) === column(hexes[at])) end++;
    if (end - at >= 3) out.push(`${hexes[at]}..${hexes[end - 1]}`); else out.push(...hexes.slice(at, end));
  }
  return out;
}

function yaml() {
  const lines = [];
  for (const [key, value] of Object.entries(map)) {
    if (Array.isArray(value) && value.length && typeof value[0] === "object") {
      lines.push(`${key}:`);
      for (const item of value) lines.push(`  - ${flow(item.hexes ? { ...item, hexes: runs(item.hexes) } : item)}`);
    } else lines.push(`${key}: ${flow(value)}`);
  }
  return lines.join("\n") + "\n";
}

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([yaml()], { type: "text/yaml" }));
  link.download = "map.yaml";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function save() {
  const answer = await fetch("save", { method: "POST", body: yaml() });
  say(answer.ok ? "map.yaml saved" : `not saved: ${await answer.text()}`);
}

// --- drawing ----------------------------------------------------------------------------------------------------
function draw() {
  asked = false;
  const wide = canvas.clientWidth, high = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
  if (canvas.width !== wide * ratio || canvas.height !== high * ratio) { canvas.width = wide * ratio; canvas.height = high * ratio; }
  paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint.fillStyle = "#2b2f33"; paint.fillRect(0, 0, wide, high);
  paint.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  if (scan.complete && scan.naturalWidth) paint.drawImage(scan, 0, 0, data.width, data.height);
  const box = { left: -view.x / view.scale, top: -view.y / view.scale };
  box.right = box.left + wide / view.scale; box.bottom = box.top + high / view.scale;
  const near = hex => hex.x > box.left - data.unit && hex.x < box.right + data.unit && hex.y > box.top - data.unit && hex.y < box.bottom + data.unit;
  const close = data.unit * view.scale > 14;
  for (const hex of data.hexes) if (near(hex)) drawHex(hex, close);
  if (by("show-lines").checked) drawLines(near);
  if (current) drawCurrent();
}

function drawHex(hex, close) {
  const found = state.terrain.get(hex.number), sure = found ? found.sure : 0;
  path(hex);
  if (by("show-terrain").checked && found) {
    paint.globalAlpha = 0.22; paint.fillStyle = colourOf(found.kind); paint.fill();
    if (sure < 0.8) { paint.globalAlpha = 0.8; paint.lineWidth = data.unit * 0.06; paint.strokeStyle = "#e0301e"; paint.stroke(); }
    paint.globalAlpha = 1;
  }
  paint.lineWidth = Math.max(0.6 / view.scale, data.unit * 0.008); paint.strokeStyle = "rgba(20,20,20,.55)"; paint.stroke();
  if (!close) return;
  paint.textAlign = "center"; paint.fillStyle = "#111";
  if (by("show-numbers").checked) { paint.font = `${data.unit * 0.13}px sans-serif`; paint.fillText(hex.number, hex.x, hex.y - data.unit * 0.33); }
  if (by("show-terrain").checked && found) {
    paint.font = `${data.unit * 0.15}px sans-serif`; paint.lineWidth = data.unit * 0.04; paint.strokeStyle = "rgba(255,255,255,.8)";
    const label = [found.label, ...(state.places.get(hex.number) || [])].join(" + ");
    paint.strokeText(label, hex.x, hex.y + data.unit * 0.4); paint.fillText(label, hex.x, hex.y + data.unit * 0.4);
  }
}

function path(hex) {
  paint.beginPath();
  for (const [dx, dy] of data.corners) paint.lineTo(hex.x + dx, hex.y + dy);
  paint.closePath();
}

function drawLines(near) {
  paint.lineCap = "round";
  for (const [key, kinds] of state.hexsides) {
    const side = data.sides[sideOf.get(key)];
    if (!side || !near(data.hexes[place.get(side.pair[0])])) continue;
    kinds.forEach((find, i) => line(side.ends[0], side.ends[1], find, i, kinds.length));
  }
  for (const [key, kinds] of state.links) {
    const [one, other] = key.split(" ").map(number => data.hexes[place.get(number)]);
    if (!near(one)) continue;
    kinds.forEach((find, i) => line([one.x, one.y], [other.x, other.y], find, i, kinds.length));
  }
  paint.setLineDash([]);
}

function line(from, to, find, nth, all) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, off = (nth - (all - 1) / 2) * data.unit * 0.07;
  const nx = -(to[1] - from[1]) / length * off, ny = (to[0] - from[0]) / length * off;
  paint.beginPath(); paint.moveTo(from[0] + nx, from[1] + ny); paint.lineTo(to[0] + nx, to[1] + ny);
  paint.setLineDash(find.sure < 0.8 ? [data.unit * 0.1, data.unit * 0.08] : []);
  paint.lineWidth = data.unit * 0.085; paint.strokeStyle = "rgba(255,255,255,.85)"; paint.stroke();
  paint.lineWidth = data.unit * 0.05; paint.strokeStyle = find.sure < 0.8 ? "#e0301e" : colourOf(find.kind); paint.stroke();
}

function drawCurrent() {
  paint.setLineDash([]); paint.lineWidth = data.unit * 0.07; paint.strokeStyle = "#ffb000"; paint.beginPath();
  paint.arc(current.x, current.y, data.unit * 0.62, 0, 7); paint.stroke();
}

const ask = () => { if (!asked) { asked = true; requestAnimationFrame(draw); } };

// --- what the map says now, looked up quickly ---------------------------------------------------------------------
const state = { terrain: new Map(), hexsides: new Map(), links: new Map(), places: new Map() };
const sureOf = source => source.person ? 1 : source.confidence ?? 1;
const add = (where, key, item) => where.has(key) ? where.get(key).push(item) : where.set(key, [item]);

function refresh() {
  for (const part of Object.values(state)) part.clear();
  for (const entry of map.terrain || []) for (const number of entry.hexes) {
    const kind = Array.isArray(entry.kind) ? entry.kind[0] : entry.kind;
    state.terrain.set(number, { kind, label: Array.isArray(entry.kind) ? entry.kind.join(" or ") + "?" : kind, sure: sureOf(entry.source) });
  }
  for (const entry of map.hexsides || []) for (const pair of entry.between) add(state.hexsides, pairKey(pair), { kind: entry.kind, sure: sureOf(entry.source) });
  for (const entry of map.links || []) for (const key of stepsOf(entry)) add(state.links, key, { kind: entry.kind, sure: sureOf(entry.source) });
  for (const entry of map.places || []) for (const number of entry.hexes) for (const kind of entry.kinds) add(state.places, number, kind);
  by("undo").disabled = !undo.length;
  list(); ask();
}

function list() {
  const finds = [];
  for (const [number, find] of state.terrain) finds.push([find.sure, number, find.label, data.hexes[place.get(number)], "hex"]);
  for (const [key, kinds] of state.hexsides) for (const find of kinds) finds.push([find.sure, key.replace(" ", "/"), find.kind, middle(key), "side"]);
  for (const [key, kinds] of state.links) for (const find of kinds) finds.push([find.sure, key.replace(" ", "-"), find.kind, middle(key), "link"]);
  finds.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  by("list").replaceChildren(...finds.slice(0, 300).map(([sure, name, what, at, kind]) => {
    const row = document.createElement("li"), title = document.createElement("b"), share = document.createElement("span");
    row.tabIndex = 0; title.textContent = `${name} ${what}`; share.textContent = `${Math.round(sure * 100)}%`;
    row.append(title, share);
    row.onclick = row.onkeydown = event => {
      if (event.type === "keydown" && event.key !== "Enter") return;
      current = at; setMode(kind); show(at, Math.max(view.scale, 70 / data.unit));
      say(`${name}: ${what}, ${Math.round(sure * 100)}% sure`);
    };
    return row;
  }));
}

function middle(key) {
  const [one, other] = key.split(" ").map(number => data.hexes[place.get(number)]);
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

// --- the mouse ------------------------------------------------------------------------------------------------------
const say = text => { by("said").textContent = text; };
const at = event => ({ x: (event.offsetX - view.x) / view.scale, y: (event.offsetY - view.y) / view.scale });

function show(point, scale) {
  view = { scale, x: canvas.clientWidth / 2 - point.x * scale, y: canvas.clientHeight / 2 - point.y * scale };
  ask();
}

function zoom(x, y, factor) {
  const scale = Math.min(8, Math.max(0.02, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale; view.y = y - (y - view.y) * scale / view.scale; view.scale = scale;
  ask();
}

const nearest = (items, point, where) => items.reduce((best, item) => {
  const [x, y] = where(item), away = Math.hypot(x - point.x, y - point.y);
  return away < best.away ? { item, away } : best;
}, { item: null, away: data.unit * 0.75 }).item;

function click(point) {
  const kind = by("kind").value;
  if (mode === "hex" || mode === "place") {
    const hex = nearest(data.hexes, point, hex => [hex.x, hex.y]);
    if (hex) { current = hex; if (mode === "hex") setTerrain(hex.number, kind); else togglePlace(hex.number, kind); }
  } else {
    const side = nearest(data.sides, point, side => [(side.ends[0][0] + side.ends[1][0]) / 2, (side.ends[0][1] + side.ends[1][1]) / 2]);
    if (side) { current = middle(side.pair.join(" ")); toggle(mode === "side" ? "hexsides" : "links", side.pair, kind); }
  }
}

function setMode(next) {
  mode = next;
  for (const name of ["hex", "side", "link", "place"]) by(`mode-${name}`).setAttribute("aria-pressed", String(name === mode));
  const kinds = { hex: data.kinds.terrain, side: data.kinds.hexsides, link: data.kinds.links, place: data.kinds.places }[mode];
  const before = by("kind").value;
  by("kind").replaceChildren(...kinds.map(kind => new Option(kind)));
  if (kinds.includes(before)) by("kind").value = before;
}

let drag = null;
canvas.onpointerdown = event => { drag = { x: event.offsetX, y: event.offsetY, moved: false }; canvas.setPointerCapture(event.pointerId); };
canvas.onpointermove = event => {
  if (!drag) return;
  const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;
  if (drag.moved || Math.hypot(dx, dy) > 4) { view.x += dx; view.y += dy; drag = { x: event.offsetX, y: event.offsetY, moved: true }; ask(); }
};
canvas.onpointerup = event => { if (drag && !drag.moved) click(at(event)); drag = null; };
canvas.onwheel = event => { event.preventDefault(); zoom(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0015)); };
window.onkeydown = event => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") { event.preventDefault(); takeBack(); }
  if (event.key === "+" || event.key === "-") zoom(canvas.clientWidth / 2, canvas.clientHeight / 2, event.key === "+" ? 1.25 : 0.8);
};
for (const name of ["hex", "side", "link", "place"]) by(`mode-${name}`).onclick = () => setMode(name);
for (const name of ["terrain", "lines", "numbers"]) by(`show-${name}`).onchange = ask;
by("undo").onclick = takeBack; by("download").onclick = download; by("save").onclick = save;
by("save").hidden = !data.served;
window.onresize = ask;
scan.onload = () => { document.body.dataset.ready = "yes"; ask(); };
scan.src = data.scan;
setMode("hex");
show({ x: data.width / 2, y: data.height / 2 }, Math.min(canvas.clientWidth / data.width, canvas.clientHeight / data.height) * 0.97);
refresh();
