// A against B: on the tasks that both answered, with the pairs that differ.

// Means of a run by task, in what is chosen.
function byTask({ rows, mask, state }, run) {
  const { metric } = rows.measures[state.metric] ?? { metric: state.metric };
  const judgement = !rows.amounts.has(metric) && !rows.degrees.has(metric);
  const values = measure(rows, state.metric).above;
  const found = new Map();
  for (let row = 0; row < rows.length; row += 1) {
    if (!mask[row] || rows.run[row] !== run || Number.isNaN(values[row])) continue;
    const task = found.get(rows.task[row]) ?? { sum: 0, n: 0, row, judged: judgement };
    task.judged &&= values[row] === 0 || values[row] === 1;
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
    const judged = one.judged && other.judged;
    return { task, a: one.sum / one.n, b: other.sum / other.n, rowA: one.row, rowB: other.row, judged };
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
  if (measure(rows, state.metric).ratio) return [head, controls, empty(`${metricName(state.metric)} is a ratio of sums over all tasks: a single task has none. Choose another measure above.`)];
  const pairs = paired(page, state.a, state.b);
  if (!pairs.length) return [head, controls, empty("No task that is chosen was answered by both.")];
  return [head, controls, comparison(page, pairs), discordant(page, pairs)];
}

function comparison(page, pairs) {
  const { rows, state } = page;
  const found = compared(rows, pairs, measure(rows, state.metric).share);
  const text = (value) => shown(rows, state.metric, value) + (rows.amounts.has(state.metric) ? "" : " %");
  const change = (value) => (rows.amounts.has(state.metric) ? value.toFixed(2) : signed(value));
  const line = (name, shownText, key, value, [low, high] = []) => el("div", {}, el("dt", { text: name }), el("dd", { "data-compare": key, "data-value": value, "data-low": low, "data-high": high, text: shownText }));
  const range = found.interval ? ` (${change(found.interval[0])} to ${change(found.interval[1])})` : "";
  return el(
    "section",
    { id: "comparison" },
    el(
      "dl",
      { class: "tiles" },
      line("Tasks that both answered", count(pairs.length), "tasks", pairs.length),
      line(`A: ${rows.runs[state.a].label}`, text(found.a), "a", found.a),
      line(`B: ${rows.runs[state.b].label}`, text(found.b), "b", found.b),
      line("B minus A, in points", change(found.delta) + range, "delta", found.delta, found.interval ?? []),
      line("McNemar's exact test", `p = ${chance(found.p)}`, "p", found.p),
    ),
    found.square && table("Tasks by who solves them: right in at least half of the answers", [
      { head: "Tasks", cell: (row) => row[0] },
      { head: "B right", kind: "number", cell: (row) => count(row[1]) },
      { head: "B wrong", kind: "number", cell: (row) => count(row[2]) },
    ], [["A right", found.square.both, found.square.onlyA], ["A wrong", found.square.onlyB, found.square.neither]], { id: "square", class: "small" }),
    el("p", { class: "note", text: "A task counts once, with the mean of its answers. The test is two-sided, on the tasks that are better in one run than in the other. The interval is Student's, of the mean difference, 95 %." }),
  );
}

const HALF = 0.5;
const EQUAL = 1e-12; // what rounding may make of no difference

// Student's, of the mean difference; where no task differs from another, that of two shares.
function differenceInterval(pairs, share, known) {
  const n = pairs.length;
  const delta = pairs.reduce((sum, pair) => sum + pair.b - pair.a, 0) / n;
  const squares = pairs.reduce((sum, pair) => sum + (pair.b - pair.a - delta) ** 2, 0);
  const error = n > 1 ? Math.sqrt(squares / (n - 1) / n) : 0;
  const limit = share ? 1 : Infinity;
  if (error > ROUNDING) {
    const half = student(n - 1, known) * error;
    return [Math.max(-limit, delta - half), Math.min(limit, delta + half)];
  }
  if (!share) return null;
  const sums = new Sums(2);
  for (const pair of pairs) {
    for (const [side, value] of [pair.a, pair.b].entries()) {
      sums.add(side, value, 1, 1);
      if (value !== 0 && value !== 1) sums.odd[side] = 1;
    }
  }
  const [a, b] = [0, 1].map((side) => sums.estimate(side, { judged: true, share: true, known }));
  const below = Math.hypot(b.value - b.interval[0], a.interval[1] - a.value); // Newcombe's
  const above = Math.hypot(b.interval[1] - b.value, a.value - a.interval[0]);
  return [Math.max(-1, delta - below), Math.min(1, delta + above)];
}

function compared(rows, pairs, share) {
  const n = pairs.length;
  const mean = (of) => pairs.reduce((sum, pair) => sum + of(pair), 0) / n;
  return {
    delta: mean((pair) => pair.b - pair.a), a: mean((pair) => pair.a), b: mean((pair) => pair.b),
    interval: differenceInterval(pairs, share, rows.student),
    p: mcnemar(better(pairs, -1).length, better(pairs, 1).length),
    square: pairs.every((pair) => pair.judged) ? squareOf(pairs) : null,
  };
}

// Tasks that are better in A (-1) or in B (1).
const better = (pairs, side) => pairs.filter((pair) => side * (pair.b - pair.a) > EQUAL);

function squareOf(pairs) {
  const tally = { both: 0, onlyA: 0, onlyB: 0, neither: 0 };
  for (const { a, b } of pairs) {
    tally[a >= HALF ? (b >= HALF ? "both" : "onlyA") : b >= HALF ? "onlyB" : "neither"] += 1;
  }
  return tally;
}

function discordant(page, pairs) {
  const { rows, state } = page;
  const columns = (side) => [
    { head: "Task", cell: (pair) => el("a", { href: page.task(side < 0 ? pair.rowB : pair.rowA), text: visible(rows.tasks.ids[pair.task]) }) },
    { head: "A", kind: "number", cell: (pair) => el("a", { href: page.task(pair.rowA), "aria-label": `A's answer: ${shown(rows, state.metric, pair.a)}`, text: shown(rows, state.metric, pair.a) }) },
    { head: "B", kind: "number", cell: (pair) => el("a", { href: page.task(pair.rowB), "aria-label": `B's answer: ${shown(rows, state.metric, pair.b)}`, text: shown(rows, state.metric, pair.b) }) },
    { head: "Library", cell: (pair) => rows.fact("library", pair.rowA) ?? "–" },
    { head: "Version", kind: "late", cell: (pair) => rows.fact("version", pair.rowA) ?? "–" },
    { head: "Released", kind: "late", cell: (pair) => rows.fact("date", pair.rowA) ?? "–" },
  ];
  const list = (title, id, side) => {
    const some = better(pairs, side);
    some.sort((one, other) => side * (other.b - other.a - one.b + one.a));
    return el(
      "section",
      {},
      el("h3", { text: `${title}: ${counted(some.length, "task")}` }),
      some.length ? longTable(title, columns(side), some.length, (at) => some[at], id) : empty("None."),
    );
  };
  return [
    list(`Better in A (${rows.runs[state.a].label})`, "only-a", -1),
    list(`Better in B (${rows.runs[state.b].label})`, "only-b", 1),
  ];
}
