// Elements of the page. Text from data enters by textContent alone: never as markup.

const SVG = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of (children ?? []).flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const el = (name, attributes, ...children) =>
  put(document.createElement(name), attributes, children);

const svg = (name, attributes, ...children) =>
  put(document.createElementNS(SVG, name), attributes, children);

const $ = (id) => document.getElementById(id);

// Characters that turn the order of a text around, or that cannot be seen, are shown as what they
// are: code must not look different from what it does.
const HIDDEN_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const visible = (text) =>
  text.replace(HIDDEN_CHARACTERS, (found) => {
    if (found === "\r") return "";
    return `⟨U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });

const percent = (value, digits = 1) =>
  value === null || value === undefined || Number.isNaN(value)
    ? "–"
    : (100 * value).toFixed(digits);

const signed = (value) => {
  if (value === null) return "–";
  const text = percent(Math.abs(value));
  return value < 0 ? `−${text}` : `+${text}`;
};

const count = (number) => number.toLocaleString("en-US");

const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const money = (value) => {
  if (value === null) return "–";
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  return `$${value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
};

const chance = (p) => {
  if (p === null) return "–";
  return p < 0.0001 ? p.toExponential(1) : p.toFixed(4);
};

function select(id, label, options, chosen, change) {
  const control = el(
    "select",
    { id, onchange: (event) => change(event.target.value) },
    options.map(([value, text]) => el("option", { value, text, selected: value === chosen })),
  );
  return el("label", { class: "field", for: id }, el("span", { text: label }), control);
}

const heading = (text, about) =>
  el(
    "header",
    { class: "heading" },
    el("h2", { id: "heading", tabindex: "-1", text }),
    about && el("p", { class: "about", text: about }),
  );

const empty = (text) => el("p", { class: "empty", text });

// A table of few rows. A column is {head, cell(row), kind}; the first is the row's own heading.
function table(caption, columns, rows, options = {}) {
  const cell = (column, row, at) => {
    const content = column.cell(row);
    const attributes = { class: column.kind, ...(column.data?.(row) ?? {}) };
    if (at === 0) return el("th", { scope: "row", ...attributes }, content);
    return el("td", attributes, content);
  };
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      { id: options.id, class: options.class },
      el("caption", { text: caption, class: options.quiet ? "quiet" : null }),
      el(
        "thead",
        {},
        el("tr", {}, columns.map((one) => el("th", { scope: "col", class: one.kind }, one.head))),
      ),
      el(
        "tbody",
        {},
        rows.map((row) => el("tr", {}, columns.map((one, at) => cell(one, row, at)))),
      ),
    ),
  );
}

const ROW = 36; // pixels of a row of a long table, as the style sheet has them
const BEYOND = 12; // rows above and below what is seen
const PRINTED = 200; // rows of a long table that are printed

// A table of any length, of which only the rows that are seen are in the page.
function longTable(caption, columns, length, rowAt, id) {
  const body = el("tbody");
  const frame = el("div", {
    class: "scroll long", tabindex: "0", role: "region", "aria-label": caption,
  });
  const head = el("tr", { "aria-rowindex": 1 }, columns.map((one) =>
    el("th", { scope: "col", class: one.kind, text: one.head })));
  const whole = el(
    "table",
    { id, "aria-rowcount": length + 1 },
    el("caption", { class: "quiet", text: caption }),
    el("thead", {}, head),
    body,
  );
  let shown = "";
  const space = (rows) => {
    const cell = el("td", { colspan: columns.length });
    cell.style.height = `${rows * ROW}px`;
    return el("tr", { class: "space", "aria-hidden": "true" }, rows ? cell : null);
  };
  const line = (at) => {
    const row = rowAt(at);
    return el(
      "tr",
      { "aria-rowindex": at + 2 },
      columns.map((one, column) =>
        column === 0
          ? el("th", { scope: "row", class: one.kind }, one.cell(row))
          : el("td", { class: one.kind }, one.cell(row))),
    );
  };
  const fill = (first, last) => {
    if (shown === `${first}-${last}`) return;
    shown = `${first}-${last}`;
    const lines = [];
    for (let at = first; at < last; at += 1) lines.push(line(at));
    body.replaceChildren(space(first), ...lines, space(length - last));
  };
  const draw = () => {
    const height = frame.clientHeight || 600;
    const first = Math.max(0, Math.floor(frame.scrollTop / ROW) - BEYOND);
    fill(first, Math.min(length, first + Math.ceil(height / ROW) + 2 * BEYOND));
  };
  frame.append(whole);
  frame.addEventListener("scroll", draw, { passive: true });
  frame.printed = () => fill(0, Math.min(length, PRINTED));
  frame.drawn = draw;
  draw();
  return frame;
}
