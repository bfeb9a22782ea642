// The data of the page: logs as films. A track is step, map, x, y, height, look, again and again.

const GROUP = 6;
const DATA = JSON.parse(document.getElementById("data").textContent);
const addresses = new Map();

/** The address of a picture; null where the page has none of that name. */
function picture(reel, name) {
  const data = reel.pictures[name];
  if (!data) return null;
  if (!addresses.has(data)) {
    const comma = data.indexOf(",");
    const bytes = Uint8Array.from(atob(data.slice(comma + 1)), letter => letter.charCodeAt(0));
    addresses.set(data, URL.createObjectURL(new Blob([bytes], { type: data.slice(5, data.indexOf(";")) })));
  }
  return addresses.get(data);
}

/** Where in its track a counter is after a step; -1 before it comes into play. */
function groupAt(track, step) {
  let low = 0, high = track.length / GROUP;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track[middle * GROUP] <= step) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** A counter after a step, or null where it is not to be seen. */
function pieceAt(reel, index, step) {
  const track = reel.tracks[index];
  const group = groupAt(track, step);
  if (group < 0 || track[group * GROUP + 1] < 0) return null;
  const [, map, x, y, height, look] = track.slice(group * GROUP, group * GROUP + GROUP);
  return { index, map, x, y, height, look: reel.looks[look], since: track[group * GROUP] };
}

/** Everything in sight after a step. */
function piecesAt(reel, step) {
  return reel.tracks.map((_, index) => pieceAt(reel, index, step)).filter(Boolean);
}

/** The steps grouped by turn and phase: [first step, title]. */
function sectionsOf(reel) {
  const sections = reel.sections.length ? reel.sections : [[1, ""]];
  return sections[0][0] > 1 ? [[1, ""], ...sections] : sections;
}

/** The hex a point lies in, by the nearest middle. */
function hexAt(window_, x, y) {
  let best = null, least = Infinity;
  for (const [label, hx, hy] of window_.hexes) {
    const far = (hx - x) ** 2 + (hy - y) ** 2;
    if (far < least) { least = far; best = label; }
  }
  const reach = window_.hex ? Math.max(window_.hex.dx, window_.hex.dy) * 0.7 : 0;
  return least <= reach * reach ? best : null;
}

/** An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function drawn(tag, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}
