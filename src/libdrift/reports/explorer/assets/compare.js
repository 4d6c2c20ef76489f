// A against B: on the tasks that both answered, with the pairs that differ.

// Means of a run by task, in what is chosen.
function byTask({ rows, mask, state }, run) {
  const values = rows.values[state.metric];
  const found = new Map();
  for (let row = 0; values && row < rows.length; row += 1) {
    if (!mask[row] || rows.run[row] !== run || Number.isNaN(values[row])) continue;
    const task = found.get(rows.task[row]) ?? { sum: 0, n: 0, row };
    task.sum += values[row];
    task.n += 1;
    found.set(rows.task[row], task);
  }
  return found;
}

function paired(page, a, b) {
  const [inA, inB] = [byTask(page, a), byTask(page, b)];
  const tasks = [...inA.keys()].filter((task) => inB.has(task));
  return tasks.map((task) => {
    const [one, other] = [inA.get(task), inB.get(task)];
    return { task, a: one.sum / one.n, b: other.sum / other.n, rowA: one.row, rowB: other.row };
  });
}

function compare(page) {
  const { rows, state } = page;
  const head = heading("Compare", "On the tasks that both runs answered. Pairs that differ decide: those that only one of the two solves.");
  if (rows.runs.length < 2) return [head, empty("There is one run only. Give two or more: libdrift report RUN RUN --html FILE")];
  const options = rows.runs.map((run, at) => [String(at), run.label]);
  const controls = el(
    "div",
    { class: "controls" },
    select("run-a", "A", options, String(state.a), (value) => page.go({ a: Number(value) })),
    select("run-b", "B", options, String(state.b), (value) => page.go({ b: Number(value) })),
    el("button", { type: "button", text: "Swap", onclick: () => page.go({ a: state.b, b: state.a }) }),
  );
  const pairs = paired(page, state.a, state.b);
  if (!pairs.length) return [head, controls, empty("No task that is chosen was answered by both.")];
  return [head, controls, comparison(page, pairs), discordant(page, pairs)];
}

function comparison(page, pairs) {
  const { rows, state } = page;
  const found = compared(pairs);
  const line = (name, text, value) => el("div", {}, el("dt", { text: name }), el("dd", { "data-compare": value, text }));
  return el(
    "section",
    { id: "comparison" },
    el(
      "dl",
      { class: "tiles" },
      line("Tasks that both answered", count(pairs.length), `n ${pairs.length}`),
      line(`A: ${rows.runs[state.a].label}`, `${percent(found.a)} %`, `a ${found.a}`),
      line(`B: ${rows.runs[state.b].label}`, `${percent(found.b)} %`, `b ${found.b}`),
      line("B minus A, in points", `${signed(found.delta)}${found.interval ? `  (${signed(found.interval[0])} to ${signed(found.interval[1])})` : ""}`, `delta ${found.delta}`),
      line("McNemar's exact test", `p = ${chance(found.p)}`, `p ${found.p}`),
    ),
    table("Tasks by who solves them", [
      { head: "", cell: (row) => row[0] },
      { head: "B right", kind: "number", cell: (row) => count(row[1]) },
      { head: "B wrong", kind: "number", cell: (row) => count(row[2]) },
    ], [["A right", found.both, found.onlyA], ["A wrong", found.onlyB, found.neither]], { id: "square", class: "small" }),
    el("p", { class: "note", text: found.note }),
  );
}

function compared(pairs) {
  const n = pairs.length;
  const a = pairs.reduce((sum, pair) => sum + pair.a, 0) / n;
  const b = pairs.reduce((sum, pair) => sum + pair.b, 0) / n;
  const right = (value) => value > 0.5;
  const tally = { both: 0, onlyA: 0, onlyB: 0, neither: 0 };
  for (const pair of pairs) {
    const name = right(pair.a) ? (right(pair.b) ? "both" : "onlyA") : right(pair.b) ? "onlyB" : "neither";
    tally[name] += 1;
  }
  const delta = b - a;
  const squares = pairs.reduce((sum, pair) => sum + (pair.b - pair.a - delta) ** 2, 0);
  const error = n > 1 ? Math.sqrt(squares / (n - 1) / n) : null;
  return {
    ...tally, a, b, delta,
    interval: error === null ? null : [delta - Z * error, delta + Z * error],
    p: mcnemar(tally.onlyA, tally.onlyB),
    note: "A task counts as right where more than half of its answers are. The interval is of the mean difference of pairs, 95 %; the test is two-sided.",
  };
}

function discordant(page, pairs) {
  const { rows, state } = page;
  const right = (value) => value > 0.5;
  const differing = pairs.filter((pair) => right(pair.a) !== right(pair.b));
  const columns = [
    { head: "Task", cell: (pair) => el("a", { href: page.task(right(pair.a) ? pair.rowB : pair.rowA), text: visible(rows.tasks.ids[pair.task]) }) },
    { head: "A", kind: "number", cell: (pair) => el("a", { href: page.task(pair.rowA), text: percent(pair.a, 0) }) },
    { head: "B", kind: "number", cell: (pair) => el("a", { href: page.task(pair.rowB), text: percent(pair.b, 0) }) },
    { head: "Library", cell: (pair) => rows.fact("library", pair.rowA) ?? "–" },
    { head: "Version", kind: "late", cell: (pair) => rows.fact("version", pair.rowA) ?? "–" },
    { head: "Released", kind: "late", cell: (pair) => rows.fact("date", pair.rowA) ?? "–" },
  ];
  const list = (title, id, some) => el(
    "section",
    {},
    el("h3", { text: `${title}: ${counted(some.length, "task")}` }),
    some.length ? longTable(title, columns, some.length, (at) => some[at], id) : empty("None."),
  );
  return [
    list(`Only A solves (${rows.runs[state.a].label})`, "only-a", differing.filter((pair) => right(pair.a))),
    list(`Only B solves (${rows.runs[state.b].label})`, "only-b", differing.filter((pair) => right(pair.b))),
  ];
}
