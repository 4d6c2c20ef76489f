// Every answer that is chosen, searched and sorted.

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

// Rows whose task, run or facts have all words; texts are asked apart, since they may be far away.
function named(rows, words) {
  const columns = Object.values(rows.facts).map((fact) => ({
    codes: fact.codes, lower: fact.values.map((value) => value.toLowerCase()),
  }));
  const ids = rows.tasks.ids.map((id) => id.toLowerCase());
  const labels = rows.runs.map((run) => run.label.toLowerCase());
  const has = (row, word) =>
    ids[rows.task[row]].includes(word) || labels[rows.run[row]].includes(word) ||
    rows.outcomes[rows.outcome[row]].includes(word) ||
    columns.some(({ codes, lower }) => codes[row] >= 0 && lower[codes[row]].includes(word));
  return (row) => words.every((word) => has(row, word));
}

const ORDERS = {
  "": () => null,
  outcome: (rows) => (a, b) => rows.outcome[a] - rows.outcome[b],
  date: (rows) => (a, b) => (rows.facts.date?.codes[a] ?? 0) - (rows.facts.date?.codes[b] ?? 0),
  output: (rows) => (a, b) => (rows.output[b] || 0) - (rows.output[a] || 0),
  cost: (rows) => (a, b) => (rows.cost[b] || 0) - (rows.cost[a] || 0),
};

function answers(page) {
  const { rows, state, mask } = page;
  const words = wordsOf(state.q);
  const isNamed = words.length ? named(rows, words) : () => true;
  const texts = words.length ? page.searched(words) : null;
  let found = [];
  for (let row = 0; row < rows.length; row += 1) {
    if (mask[row] && (isNamed(row) || texts?.rows?.has(row))) found.push(row);
  }
  if (state.outcome) found = found.filter((row) => rows.outcomes[rows.outcome[row]] === state.outcome);
  const order = (Object.hasOwn(ORDERS, state.sort) ? ORDERS[state.sort] : ORDERS[""])(rows);
  if (order) found.sort((a, b) => order(a, b) || a - b);
  page.listed = found;
  const controls = el(
    "div",
    { class: "controls" },
    select("outcome", "Outcome", [["", "any"], ...rows.outcomes.map((name) => [name, name])], state.outcome, (value) => page.go({ outcome: value })),
    select("sort", "Order", [["", "run and task"], ["outcome", "outcome"], ["date", "release date"], ["output", "most tokens out"], ["cost", "highest cost"]], state.sort, (value) => page.go({ sort: value })),
  );
  const note = texts?.pending ? "Texts are being searched …" : texts?.error ? `Texts could not be searched: ${texts.error}` : null;
  const told = words.length ? ` with “${state.q}” in their task, facts, prompt, answer or log` : "";
  return [
    heading("Answers", null),
    controls,
    el("p", { class: "about", id: "found", role: "status", text: `${counted(found.length, "answer")}${told}.${note ? ` ${note}` : ""}` }),
    found.length ? longTable("Answers that are chosen", answerColumns(page), found.length, (at) => found[at], "answers") : null,
  ];
}

function answerColumns(page) {
  const { rows, state } = page;
  const value = measure(rows, state.metric).above;
  return [
    { head: "Task", cell: (row) => el("a", { href: page.task(row), text: visible(rows.tasks.ids[rows.task[row]]) }) },
    { head: "Outcome", cell: (row) => outcomeOf(rows.outcomes[rows.outcome[row]]) },
    { head: "Run", cell: (row) => runName(rows, rows.run[row]) },
    { head: "Sample", kind: "number late", cell: (row) => String(rows.sample[row]) },
    { head: `${metricName(state.metric)}, %`, kind: "number", cell: (row) => (Number.isNaN(value[row]) ? "–" : shown(rows, state.metric, value[row])) },
    { head: "Library", cell: (row) => rows.fact("library", row) ?? "–" },
    { head: "Version", kind: "late", cell: (row) => rows.fact("version", row) ?? "–" },
    { head: "Released", kind: "late", cell: (row) => rows.fact("date", row) ?? "–" },
    { head: "Tokens out", kind: "number late", cell: (row) => (Number.isNaN(rows.output[row]) ? "–" : count(rows.output[row])) },
  ];
}

const outcomeOf = (name) =>
  el("span", { class: "verdict" }, el("i", { class: `key outcome ${name}`, "aria-hidden": "true" }), name);
