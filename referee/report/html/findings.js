// The list of findings: what the referee says, to filter, search and open.

const SHOWN_AT_ONCE = 100;

class Findings {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.box = document.getElementById("findings");
    this.most = SHOWN_AT_ONCE;
    for (const id of ["want-illegal", "want-unsure", "side", "order", "search"])
      document.getElementById(id).addEventListener("input", () => { this.most = SHOWN_AT_ONCE; this.list(); });
    document.getElementById("filter").addEventListener("submit", event => event.preventDefault());
  }

  open(reel) {
    this.all = reel.report.findings.map((finding, index) => ({ ...finding, index }));
    this.chosen = null;
    const sides = [...new Set(this.all.map(finding => finding.side).filter(Boolean))].sort();
    document.getElementById("side").replaceChildren(make("option", { value: "" }, "all"), ...sides.map(side => make("option", { value: side }, side)));
    const problems = reel.report.problems;
    document.getElementById("problems").replaceChildren(...(problems.length
      ? [make("h3", {}, "Notes on the log"), make("ul", {}, ...problems.map(problem => make("li", {}, problem)))] : []));
    this.list();
  }

  wanted() {
    const value = id => document.getElementById(id).value;
    const ticked = id => document.getElementById(id).checked;
    const words = value("search").toLowerCase().split(/\s+/).filter(Boolean);
    const fits = finding => ticked("want-" + finding.verdict)
      && (!value("side") || finding.side === value("side"))
      && words.every(word => this.text(finding).includes(word));
    const found = this.all.filter(fits);
    const rank = finding => finding.verdict === "illegal" ? 0 : 1;
    const byRule = (a, b) => value("order") === "rule" ? a.rule.localeCompare(b.rule, "en", { numeric: true }) : 0;
    if (value("order") !== "step") found.sort((a, b) => rank(a) - rank(b) || byRule(a, b) || a.step - b.step);
    return found;
  }

  text(finding) {
    finding.words ??= [finding.message, finding.check, finding.rule, finding.when, finding.side, finding.from, finding.to, ...finding.units, "step " + finding.step].join(" ").toLowerCase();
    return finding.words;
  }

  list() {
    const found = this.wanted();
    document.getElementById("count").textContent = found.length === 1 ? "1 finding" : `${found.length} findings`;
    const parts = [];
    let heading = null;
    const titles = {
      verdict: finding => finding.verdict === "illegal" ? "Illegal" : "Could not be judged",
      step: finding => finding.when || "Time not known",
      rule: finding => `Rule ${finding.rule}, ${finding.verdict}`,
    };
    for (const finding of found.slice(0, this.most)) {
      const title = titles[document.getElementById("order").value](finding);
      if (title !== heading) parts.push(make("h3", {}, heading = title));
      parts.push(this.card(finding));
    }
    if (found.length > this.most)
      parts.push(make("button", { type: "button", onclick: () => { this.most += SHOWN_AT_ONCE; this.list(); } }, `${found.length - this.most} more`));
    this.box.replaceChildren(...parts);
  }

  /** On paper all findings are listed, and what is proved with its sums. */
  print(on) {
    this.onPaper = on;
    this.most = on ? Infinity : SHOWN_AT_ONCE;
    this.list();
  }

  card(finding) {
    const open = this.chosen === finding.index || (this.onPaper && finding.verdict === "illegal");
    const head = make("span", { class: "head" },
      make("span", { class: "badge" }, finding.verdict === "illegal" ? "✗ illegal" : "? unsure"),
      `step ${finding.step}`, make("span", {}, `rule ${finding.rule}`), make("span", {}, finding.check));
    const button = make("button", { type: "button", "aria-expanded": String(open), onclick: () => this.onChoose(finding) }, head, make("span", {}, finding.message));
    return make("article", { class: `finding ${finding.verdict}`, id: `finding-${finding.index}` }, button, open ? this.more(finding) : null);
  }

  more(finding) {
    const rows = [];
    const row = (name, ...value) => rows.push(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, ...value)));
    if (finding.units.length) row("units", finding.units.join(", "));
    if (finding.from) row("from, to", `${finding.from} → ${finding.to || "off the map"}`);
    else if (finding.to) row("in", finding.to);
    for (const [name, value] of Object.entries(finding.evidence)) {
      if (value === null || value === "" || name === "missing" || (Array.isArray(value) && !value.length)) continue;
      row(name.replaceAll("_", " "), ...this.value(name, value));
    }
    const missing = finding.evidence.missing || [];
    return make("div", { class: "more" }, make("table", {}, ...rows),
      missing.length ? make("h3", {}, "What would settle it") : null,
      missing.length ? make("ul", {}, ...missing.map(what => make("li", {}, what))) : null);
  }

  value(name, value) {
    if (name === "path" && Array.isArray(value)) return [value.join(" → ")];
    if (Array.isArray(value)) return [make("ol", {}, ...value.map(item => make("li", {}, typeof item === "object" ? JSON.stringify(item) : String(item))))];
    if (typeof value === "object") return [Object.entries(value).map(([key, item]) => `${key}: ${Array.isArray(item) ? item.join(", ") : item}`).join("; ")];
    return [typeof value === "boolean" ? value ? "yes" : "no" : String(value)];
  }

  /** Open one finding in the list. */
  choose(finding) {
    this.chosen = finding ? finding.index : null;
    if (finding && !this.wanted().slice(0, this.most).includes(finding)) this.most = Infinity;
    this.list();
    const pane = document.getElementById("pane-findings");
    if (finding && pane.scrollHeight > pane.clientHeight)
      document.getElementById(`finding-${finding.index}`)?.scrollIntoView({ block: "nearest" });
  }
}
