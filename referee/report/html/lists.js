// What can be read beside the map: the steps by turn and phase, the chat, and who is where.

class Lists {
  constructor(goTo) {
    this.goTo = goTo;
    document.getElementById("step-search").addEventListener("input", () => this.listSteps());
  }

  open(reel) {
    this.reel = reel;
    this.worst = [];
    for (const finding of reel.report.findings)
      if (this.worst[finding.step] !== "illegal") this.worst[finding.step] = finding.verdict;
    this.stale = { steps: true, chat: true };
  }

  /** Bring the visible list up to a step. */
  show(tab, step) {
    this.step = step;
    if (tab === "steps") {
      if (this.stale.steps) this.listSteps();
      this.mark(document.getElementById("steps"), `step-row-${step}`, step);
    } else if (tab === "chat") {
      if (this.stale.chat) this.listChat();
      const said = this.lines.filter(line => line <= step).pop();
      this.mark(document.getElementById("chat"), `said-${said}`);
    } else if (tab === "position") {
      this.listPosition(step);
    }
  }

  mark(list, id, step) {
    if (step !== undefined)
      for (const group of list.querySelectorAll("details"))
        if (step >= +group.dataset.first && step <= +group.dataset.last) { group.open = true; this.fill(group); }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = document.getElementById(id);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    row.scrollIntoView({ block: "nearest" });
  }

  words(row) { return [row.player || "", ...(row.done || []), ...(row.said || [])].join(" ").toLowerCase(); }

  row(step) {
    const told = this.reel.rows[step - 1];
    const lines = [...(told.done || []), ...(told.said || [])].map(line => make("div", {}, line));
    return make("button", { type: "button", id: `step-row-${step}`, class: `step ${this.worst[step] || ""}`, onclick: () => this.goTo(step) },
      make("span", { class: "number" }, String(step)), make("span", {}, told.player ? make("b", {}, told.player) : null, ...lines));
  }

  listSteps() {
    this.stale.steps = false;
    const { reel } = this;
    const wanted = document.getElementById("step-search").value.trim().toLowerCase();
    if (wanted) {
      const found = reel.rows.map((row, index) => index + 1).filter(step => this.words(reel.rows[step - 1]).includes(wanted));
      const shown = found.slice(0, SHOWN_AT_ONCE).map(step => this.row(step));
      document.getElementById("steps").replaceChildren(make("p", {}, `${found.length} steps` + (found.length > shown.length ? `, the first ${shown.length} are shown` : "")), ...shown);
      return;
    }
    const sections = sectionsOf(reel);
    document.getElementById("steps").replaceChildren(...sections.map(([first, title], index) => {
      const last = (index + 1 < sections.length ? sections[index + 1][0] : reel.rows.length + 1) - 1;
      const group = make("details", { "data-first": first, "data-last": last }, make("summary", {}, `${title || "Steps"} (${first}–${last})`));
      group.addEventListener("toggle", () => group.open && this.fill(group));
      return group;
    }));
  }

  /** The rows of a phase are made when it is first opened. */
  fill(group) {
    if (group.childElementCount > 1) return;
    for (let step = +group.dataset.first; step <= +group.dataset.last; step++) group.append(this.row(step));
  }

  listChat() {
    this.stale.chat = false;
    this.lines = [];
    const items = [];
    this.reel.rows.forEach((row, index) => (row.said || []).forEach((line, place) => {
      this.lines.push(index + 1);
      items.push(make("li", { id: place ? null : `said-${index + 1}` }, make("button", { type: "button", "aria-label": `Go to step ${index + 1}`, onclick: () => this.goTo(index + 1) }, String(index + 1)), line));
    }));
    document.getElementById("chat").replaceChildren(...(items.length ? items : [make("li", {}, "Nobody said anything.")]));
  }

  listPosition(step) {
    const { reel } = this;
    const windows = new Map();
    for (const piece of piecesAt(reel, step)) {
      const window_ = reel.windows[piece.map];
      const where = hexAt(window_, piece.x, piece.y) || `${piece.x}, ${piece.y}`;
      if (!windows.has(window_.name)) windows.set(window_.name, new Map());
      const spots = windows.get(window_.name);
      if (!spots.has(where)) spots.set(where, []);
      spots.get(where).push(piece);
    }
    const parts = [];
    for (const [name, spots] of windows) {
      const rows = [...spots].sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }))
        .map(([where, pieces]) => make("tr", {}, make("th", { scope: "row" }, where), make("td", {}, pieces.sort((a, b) => b.height - a.height).map(piece => piece.look.name || "?").join(", "))));
      parts.push(make("h3", {}, name), make("table", {}, ...rows));
    }
    document.getElementById("position").replaceChildren(make("p", {}, "Hex, and what lies there from top to bottom."), ...parts);
  }
}
