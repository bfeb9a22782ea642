// Plain values as the text of a map.yaml, letter for letter as hexref itself writes them (converter/scenario/yaml_writing.py).
const WIDTH = 118;
const NOT_PLAIN = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);
const ESCAPES = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t" };
const isMapping = value => value !== null && typeof value === "object" && !Array.isArray(value);

function scalar(value) {
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value); // only confidences
  if (typeof value !== "string") return String(value);
  const plain = /^[A-Za-z][A-Za-z0-9 _./'()-]*$/.test(value) && !value.endsWith(" ");
  return plain && !NOT_PLAIN.has(value.toLowerCase()) ? value : `"${[...value].map(escaped).join("")}"`;
}

function escaped(character) {
  if (character in ESCAPES) return ESCAPES[character];
  if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character;
  const code = character.codePointAt(0), digits = code < 256 ? 2 : code < 65536 ? 4 : 8;
  return { 2: "\\x", 4: "\\u", 8: "\\U" }[digits] + code.toString(16).padStart(digits, "0");
}

function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isMapping(value)) return scalar(value);
  return `{${Object.entries(value).map(([key, item]) => `${scalar(key)}: ${flow(item)}`).join(", ")}}`;
}

function entry(head, value, indent) {
  const pad = " ".repeat(indent), line = `${pad}${head} ${flow(value)}`;
  const spread = Array.isArray(value) && value.some(isMapping);
  if (!(isMapping(value) || Array.isArray(value)) || (line.length <= WIDTH && !(spread && indent === 0))) return [line];
  if (isMapping(value)) {
    const lines = Object.entries(value).flatMap(([key, item]) => entry(`${scalar(key)}:`, item, indent + 2));
    return head === "-" ? [`${pad}- ${lines[0].trimStart()}`, ...lines.slice(1)] : [pad + head, ...lines];
  }
  if (spread) return [pad + head, ...value.flatMap(item => entry("-", item, indent + 2))];
  return wrapped(`${pad}${head} [`, value.map(flow), indent + 2);
}

function wrapped(line, items, indent) {
  const lines = [];
  items.forEach((item, i) => {
    item += i === items.length - 1 ? "]" : ",";
    if (line.length + 1 + item.length > WIDTH && !line.endsWith("[")) {
      lines.push(line);
      line = " ".repeat(indent) + item;
    } else line += line.endsWith("[") ? item : ` ${item}`;
  });
  return [...lines, line];
}

const sectionText = (name, items) => items.length ? entry(`${name}:`, items, 0).join("\n") + "\n" : "";
