// The page as a whole: which log, which step, which finding; buttons, keys, the address.

const MARKS = 300;
const byId = id => document.getElementById(id);
const stage = new Stage(openStack);
const findings = new Findings(finding => choose(finding));
const lists = new Lists(step => go(step));
let reel, step = 0, chosen = null, tab = "findings", timer = null, numbersWanted = false;

function openReel(index, at = 0) {
  reel = DATA.reels[index];
  byId("reel").value = index;
  const { report } = reel;
  byId("title").textContent = `${report.log}: ${report.game}/${report.scenario}`;
  const { illegal, unsure, judged } = report.summary;
  byId("summary").textContent = `${report.steps} steps, ${judged} acts judged, ${illegal} illegal, ${unsure} unsure`;
  byId("window").replaceChildren(...reel.windows.map((window_, number) => make("option", { value: number }, window_.name || `Map ${number + 1}`)));
  byId("window-label").hidden = reel.windows.length < 2;
  byId("slider").max = reel.rows.length;
  byId("of").textContent = `of ${reel.rows.length}`;
  findings.open(reel);
  lists.open(reel);
  drawStrip();
  openWindow(busiest(), at);
}

/** The map window with most counters in the opening position. */
function busiest() {
  const count = reel.windows.map(() => 0);
  for (const track of reel.tracks) for (let at = 1; at < track.length; at += GROUP) if (track[at] >= 0) count[track[at]]++;
  return Math.max(0, count.indexOf(Math.max(...count)));
}

function openWindow(number, at = step) {
  byId("window").value = number;
  stage.open(reel, number);
  showNumbers(numbersWanted || stage.bare);
  go(at);
}

function showNumbers(wanted) {
  byId("numbers").setAttribute("aria-pressed", String(wanted));
  stage.numbers(wanted);
}

function go(to, finding = null) {
  step = Math.min(Math.max(0, Math.round(to) || 0), reel.rows.length);
  chosen = finding;
  stage.show(step);
  stage.point(finding, step);
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", `step ${step}${when(step) ? ", " + when(step) : ""}`);
  byId("step").value = step;
  const row = step ? reel.rows[step - 1] : {};
  const told = step ? [...(row.done || []), ...(row.said || [])].join(" · ") : "the opening position";
  byId("now").replaceChildren(make("b", {}, [when(step), row.player].filter(Boolean).join(", ")), told);
  lists.show(tab, step);
  if (findings.chosen !== (finding ? finding.index : null)) findings.choose(finding);
  const log = DATA.reels.indexOf(reel);
  history.replaceState(null, "", `#${log ? `log=${log + 1}&` : ""}step=${step}${finding ? `&finding=${finding.index + 1}` : ""}`);
}

function when(at) {
  let title = "";
  for (const [first, words] of reel.sections) { if (first > at) break; title = words; }
  return title;
}

function choose(finding) {
  if (chosen && chosen.index === finding.index) { go(step); return; }
  go(finding.step, finding);
}

function jump(direction) {
  const all = findings.wanted().slice().sort((a, b) => a.step - b.step || a.index - b.index);
  const here = chosen ? all.findIndex(finding => finding.index === chosen.index) : -1;
  const next = here >= 0 ? all[here + direction]
    : direction > 0 ? all.find(finding => finding.step > step) : all.filter(finding => finding.step < step).pop();
  if (next) { select("findings"); go(next.step, next); }
}

/** Findings and phases along the slider. */
function drawStrip() {
  const strip = byId("strip");
  const last = Math.max(1, reel.rows.length);
  strip.setAttribute("viewBox", `0 0 ${last} 16`);
  const sections = sectionsOf(reel);
  const parts = sections.map(([first], index) => {
    const end = index + 1 < sections.length ? sections[index + 1][0] : last + 1;
    return drawn("rect", { class: `section ${index % 2 ? "odd" : ""}`, x: first - 1, y: 11, width: Math.max(0, end - first), height: 5 });
  });
  const wide = Math.max(last / MARKS, 0.2);
  const worst = new Map(); // of the findings that share a mark, the first of the worst
  for (const finding of findings.all) {
    const place = Math.floor(finding.step / Math.max(1, wide));
    const known = worst.get(place);
    if (!known || (known.verdict !== "illegal" && finding.verdict === "illegal")) worst.set(place, finding);
  }
  for (const finding of worst.values()) {
    const illegal = finding.verdict === "illegal";
    const mark = drawn("rect", { class: finding.verdict, x: finding.step - wide / 2, y: illegal ? 0 : 3, width: wide, height: illegal ? 11 : 8 });
    mark.addEventListener("click", () => { select("findings"); go(finding.step, finding); });
    parts.push(mark);
  }
  strip.replaceChildren(...parts);
}

function openStack(index) {
  const piece = pieceAt(reel, index, step);
  if (!piece) return;
  const here = piecesAt(reel, step).filter(other => other.map === piece.map && other.x === piece.x && other.y === piece.y);
  here.sort((a, b) => b.height - a.height);
  byId("stack-title").textContent = hexAt(reel.windows[piece.map], piece.x, piece.y) || "Stack";
  byId("stack-list").replaceChildren(...here.map(other => {
    const node = make("div", { class: "piece" });
    paint(reel, other.look, node);
    return make("li", {}, make("div", { class: "picture", "aria-hidden": "true" }, node), make("span", {}, other.look.name || "?"));
  }));
  byId("stack").showModal();
}

function select(name) {
  tab = name;
  for (const each of ["findings", "steps", "chat", "position"]) {
    byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
    byId(`pane-${each}`).hidden = each !== name;
  }
  lists.show(tab, step);
}

function play(on = timer === null) {
  clearInterval(timer);
  timer = null;
  if (on) timer = setInterval(() => step < reel.rows.length ? go(step + 1) : play(false), +byId("speed").value);
  byId("play").textContent = on ? "Pause" : "Play";
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").setAttribute("aria-pressed", String(dark));
}

const KEYS = {
  ArrowLeft: event => event.shiftKey ? jump(-1) : go(step - 1),
  ArrowRight: event => event.shiftKey ? jump(1) : go(step + 1),
  Home: () => go(0),
  End: () => go(reel.rows.length),
  " ": () => play(),
  "+": () => stage.zoom(1.25),
  "-": () => stage.zoom(0.8),
  0: () => stage.fit(),
  n: () => byId("numbers").click(),
  "/": () => { select("findings"); byId("search").focus(); },
};

function fromAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const log = Math.min(Math.max(1, +said.get("log") || 1), DATA.reels.length) - 1;
  if (DATA.reels[log] !== reel) openReel(log);
  const finding = findings.all[+said.get("finding") - 1];
  go(said.has("step") ? +said.get("step") : finding ? finding.step : 0, finding || null);
}

document.addEventListener("keydown", event => {
  if (event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("[role=tab], button, summary") && [" "].includes(event.key)) return;
  if (event.target.matches("[role=tab]") && event.key.startsWith("Arrow")) {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
    next.focus(); next.click(); event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const act = KEYS[event.key];
  if (act) { event.preventDefault(); act(event); }
});
byId("slider").addEventListener("input", event => go(+event.target.value));
byId("step").addEventListener("change", event => go(+event.target.value));
byId("reel").addEventListener("change", event => openReel(+event.target.value));
byId("window").addEventListener("change", event => openWindow(+event.target.value));
byId("speed").addEventListener("change", () => timer === null || play(true));
byId("numbers").addEventListener("click", event => { numbersWanted = event.currentTarget.getAttribute("aria-pressed") !== "true"; showNumbers(numbersWanted); });
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
byId("help-open").addEventListener("click", () => byId("help").showModal());
for (const [id, act] of Object.entries({
  first: () => go(0), last: () => go(reel.rows.length), back: () => go(step - 1), forward: () => go(step + 1), play: () => play(),
  "previous-finding": () => jump(-1), "next-finding": () => jump(1),
  "zoom-in": () => stage.zoom(1.25), "zoom-out": () => stage.zoom(0.8), "zoom-fit": () => stage.fit(),
})) byId(id).addEventListener("click", act);
for (const each of ["findings", "steps", "chat", "position"]) byId(`tab-${each}`).addEventListener("click", () => select(each));
window.addEventListener("hashchange", fromAddress);
let onScreen = "light";
window.addEventListener("beforeprint", () => { onScreen = document.documentElement.dataset.theme; theme(false); stage.print(true); findings.print(true); });
window.addEventListener("afterprint", () => { theme(onScreen === "dark"); stage.print(false); findings.print(false); });

theme(matchMedia("(prefers-color-scheme: dark)").matches);
byId("reel").replaceChildren(...DATA.reels.map((each, index) => make("option", { value: index }, each.report.log)));
byId("reel-label").hidden = DATA.reels.length < 2;
fromAddress();
