// Views over many answers: all together, over time, by facts, and what they cost.

const METRICS = {
  hidden: "Hidden tests", visible: "Visible tests", em: "Exact match", ism: "ISM", pm: "PM",
  cdc: "CDC", f1: "F1 of identifiers", precision: "Precision", recall: "Recall",
  id_em: "Identifiers match", edit_similarity: "Edit similarity", api_hit: "API hit rate",
  coverage: "Coverage", api_usage: "Use of the API",
};

// A measure is a metric, of texts with the level before it: `line em`.
function metricName(name) {
  const [level, metric] = name.includes(" ") ? name.split(" ") : ["", name];
  const plain = Object.hasOwn(METRICS, metric) ? METRICS[metric] : metric.replaceAll("_", " ");
  return level ? `${plain}, ${level}` : plain;
}

// Shares are shown in per cent; amounts, such as rounds, as they are.
const shown = (rows, metric, value) =>
  rows.amounts.has(metric) && value !== null ? value.toFixed(2) : percent(value);

const unit = (rows, metric) => (rows.amounts.has(metric) ? "" : ", %");

const runName = (rows, run, extra = null) =>
  el("span", { class: "run" }, signOf(run), el("span", { class: "name", text: rows.runs[run].label }), extra);

function figure(rows, metric, estimate, run, name = metric) {
  const text = (value) => shown(rows, metric, value);
  return el(
    "span",
    { class: "figure", "data-figure": name, "data-run": run, "data-value": estimate.value, "data-low": estimate.interval?.[0], "data-high": estimate.interval?.[1], "data-tasks": estimate.tasks, "data-answers": estimate.answers },
    el("b", { text: text(estimate.value) }),
    estimate.interval && el("small", { text: `${text(estimate.interval[0])} – ${text(estimate.interval[1])}` }),
  );
}

// What stands beside a group's numbers, the same in every table.
const sizes = (of) => [
  { head: "Tasks", kind: "number", cell: (row) => count(of(row).tasks) },
  { head: "Answers", kind: "number", cell: (row) => count(of(row).answers) },
];

function overview(page) {
  const { rows, state, mask } = page;
  const all = { size: 1, codes: null };
  const measured = rows.metrics.map((name) => [name, aggregate(rows, mask, name, all)]);
  const of = measured.find(([name]) => name === state.metric)?.[1] ?? (() => NOTHING);
  const others = measured.filter(([name]) => name !== state.metric);
  const columns = [
    { head: "Run", cell: (run) => runName(rows, run) },
    { head: metricName(state.metric) + unit(rows, state.metric), kind: "number wide", cell: (run) => figure(rows, state.metric, of(run), run) },
    ...(rows.amounts.has(state.metric) ? [] : [{ head: "0 to 100", kind: "drawn", cell: (run) => intervalBar(run, of(run)) }]),
    ...sizes(of),
    ...others.map(([name, found]) => ({
      head: metricName(name) + unit(rows, name), kind: "number wide", cell: (run) => figure(rows, name, found(run), run),
    })),
  ];
  return [
    heading("Overview", measure(rows, state.metric).ratio
      ? "Sums over all answers, with intervals of 95 % that count tasks."
      : "Means over tasks, each counted once however many answers it has, with intervals of 95 %."),
    table("Every run, on what is chosen above", columns, page.runs, { id: "overview", quiet: true }),
    outcomes(page),
    overTime(page),
    provenance(page),
  ];
}

function outcomes({ rows, mask, runs }) {
  const counts = rows.runs.map(() => new Array(rows.outcomes.length).fill(0));
  for (let row = 0; row < rows.length; row += 1) if (mask[row]) counts[rows.run[row]][rows.outcome[row]] += 1;
  const used = rows.outcomes.map((name, at) => ({ name, at })).filter(({ at }) => counts.some((one) => one[at]));
  if (!used.length) return empty("No answer is left by what is chosen above.");
  const columns = [
    { head: "Run", cell: (run) => runName(rows, run) },
    { head: "Share", kind: "drawn", cell: (run) => stackedBar(used.map(({ name, at }) => ({ name, count: counts[run][at] }))) },
    ...used.map(({ name, at }) => ({
      head: [el("i", { class: `key outcome ${name}`, "aria-hidden": "true" }), name], kind: "number",
      cell: (run) => count(counts[run][at]),
    })),
  ];
  return el("section", {}, el("h3", { text: "What became of the answers" }), table("Answers by outcome", columns, runs, { id: "outcomes", quiet: true }));
}

// Periods that suit the dates at hand: years, quarters or months.
function periodsOf(dates) {
  if (!dates.length) return null;
  const years = Number(dates.at(-1).slice(0, 4)) - Number(dates[0].slice(0, 4));
  const quarter = (date) => `${date.slice(0, 4)} Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
  const of = years > 3 ? (date) => date.slice(0, 4) : years > 0 ? quarter : (date) => date.slice(0, 7);
  const names = [...new Set(dates.map(of))];
  return { names, code: dates.map((date) => names.indexOf(of(date))) };
}

function overTime({ rows, mask, state, runs }) {
  const date = rows.facts.date;
  const [first, last] = dateCodes(rows, state);
  const periods = date && periodsOf(rows.dates.slice(first, last + 1));
  if (!periods) return el("section", {}, el("h3", { text: "Over release dates" }), empty("The release dates of these tasks are not known."));
  const codes = date.codes.map((code) => (code < first || code > last ? -1 : periods.code[code - first]));
  const of = aggregate(rows, mask, state.metric, { size: periods.names.length, codes });
  const lines = runs.map((run) => ({ run, label: rows.runs[run].label, points: periods.names.map((_, at) => of(run, at)) }));
  const title = `${metricName(state.metric)} in % over release dates`;
  const columns = [
    { head: "Released", cell: (at) => periods.names[at] },
    ...runs.flatMap((run) => [
      { head: runName(rows, run), kind: "number wide", cell: (at) => figure(rows, state.metric, of(run, at), run, "time") },
      { head: "Tasks", kind: "number", cell: (at) => count(of(run, at).tasks) },
    ]),
  ];
  return el(
    "section",
    {},
    el("h3", { text: "Over release dates" }),
    el("p", { class: "legend" }, runs.map((run) => runName(rows, run))),
    rows.amounts.has(state.metric) ? null : timeChart(title, periods.names, lines),
    el("details", {}, el("summary", { text: "The numbers of this chart" }), table(title, columns, [...periods.names.keys()], { quiet: true })),
  );
}

function provenance({ rows, runs }) {
  const plain = (value) => (typeof value === "string" ? value : Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(" ") : JSON.stringify(value));
  const facts = (run) => {
    const about = rows.runs[run];
    return { run: about.name, suite: about.suite, ...(about.mode ? { mode: about.mode } : {}), state: about.state, ...about.provenance };
  };
  return el(
    "section",
    { id: "provenance" },
    el("h3", { text: "Where these numbers come from" }),
    runs.map((run) => el(
      "details",
      { open: runs.length === 1 },
      el("summary", {}, runName(rows, run)),
      el("dl", {}, Object.entries(facts(run)).map(([name, value]) => el("div", {}, el("dt", { text: name.replaceAll("_", " ") }), el("dd", { text: visible(plain(value)) })))),
    )),
  );
}

function breakdown(page) {
  const { rows, state } = page;
  const names = factNames(rows);
  const options = names.map((name) => [name, name]);
  const [first, second] = state.by;
  const controls = el(
    "div",
    { class: "controls" },
    select("by-first", "By", options, first, (value) => page.go({ by: [value, second === value ? undefined : second].filter(Boolean) })),
    select("by-second", "and by", [["", "nothing else"], ...options.filter(([name]) => name !== first)], second ?? "", (value) => page.go({ by: [first, value].filter(Boolean) })),
  );
  const head = heading("Breakdown", "Choose one fact of the tasks and answers, or cross two. A name in the table narrows everything to it.");
  if (!first) return [head, empty("Nothing is known of these tasks to break them down by.")];
  const result = state.by.find((name) => RESULTS.has(name));
  if (result) return [head, controls, shares(page, result, state.by.find((name) => name !== result))];
  const parts = second ? crossed(page, first, second) : single(page, first);
  return [head, controls, parts, without(page)];
}

// Facts that tell answers apart, and are few enough to read.
const factNames = (rows) =>
  Object.keys(rows.facts).filter((name) => name !== "date" && rows.facts[name].values.length > 0).sort();

const narrowing = (page, name, value) =>
  el("a", { href: page.address({ where: [...page.state.where.filter(([fact]) => fact !== name), [name, value]] }), title: `Only ${name} ${value}`, text: value });

// What became of an answer is no group that answers do well or badly in: of these, the share of all
// answers that were judged is told.
const RESULTS = new Set(["error", "outcome"]);

function shares(page, result, other) {
  const { rows, mask, runs } = page;
  const groups = grouping(rows, other ? [other] : []);
  const { values } = rows.facts[result];
  const found = values.map((_, code) => aggregated(rows, mask, indicator(rows, result, code), groups));
  const lines = [];
  for (let group = 0; group < groups.size; group += 1) {
    for (const code of values.keys()) {
      if (runs.some((run) => found[code](run, group).value > 0)) lines.push({ group, code });
    }
  }
  if (!lines.length) return empty(`No answer that is chosen has a known ${result}.`);
  const label = (line) => [...groups.labels(line.group), values[line.code]];
  const columns = [
    ...(other ? [{ head: other, cell: (line) => label(line)[0] }] : []),
    { head: result, cell: (line) => narrowing(page, result, values[line.code]), data: (line) => ({ "data-group": label(line).join(" ") }) },
    ...runs.flatMap((run) => [
      { head: runName(rows, run), kind: "number wide", cell: (line) => figure(rows, "share", found[line.code](run, line.group), run, "group") },
      { head: "0 to 100", kind: "drawn", cell: (line) => intervalBar(run, found[line.code](run, line.group)) },
    ]),
  ];
  const of = other ? ` in each ${other}` : "";
  return table(`Share of the answers that were judged${of}, %, by ${result}`, columns, lines, { id: "breakdown" });
}

function single(page, name) {
  const { rows, state, mask, runs } = page;
  const groups = grouping(rows, [name]);
  const of = aggregate(rows, mask, state.metric, groups);
  const known = [...Array(groups.size).keys()].filter((at) => runs.some((run) => of(run, at).tasks));
  if (!known.length) return empty(`No answer that is chosen has a value of ${metricName(state.metric).toLowerCase()} and a ${name}.`);
  const columns = [
    { head: name, cell: (at) => narrowing(page, name, groups.labels(at)[0]), data: (at) => ({ "data-group": groups.labels(at)[0] }) },
    ...runs.flatMap((run) => [
      { head: runName(rows, run), kind: "number wide", cell: (at) => figure(rows, state.metric, of(run, at), run, "group") },
      ...(rows.amounts.has(state.metric) ? [] : [{ head: "0 to 100", kind: "drawn", cell: (at) => intervalBar(run, of(run, at)) }]),
      { head: "Tasks", kind: "number", cell: (at) => count(of(run, at).tasks) },
      { head: "Answers", kind: "number late", cell: (at) => count(of(run, at).answers) },
    ]),
  ];
  return table(`${metricName(state.metric)}${unit(rows, state.metric)} by ${name}`, columns, known, { id: "breakdown" });
}

function crossed(page, first, second) {
  const { rows, state, mask, runs } = page;
  const groups = grouping(rows, [first, second]);
  const of = aggregate(rows, mask, state.metric, groups);
  const wide = rows.facts[second].values.length;
  const place = (a, b) => a * wide + b;
  const has = (run, a, b) => of(run, place(a, b)).tasks > 0;
  return runs.map((run) => {
    const down = [...rows.facts[first].values.keys()].filter((a) => [...Array(wide).keys()].some((b) => has(run, a, b)));
    const across = [...Array(wide).keys()].filter((b) => down.some((a) => has(run, a, b)));
    if (!down.length) return empty(`${rows.runs[run].label}: no answer that is chosen has both facts.`);
    const columns = [
      { head: `${first} / ${second}`, cell: (a) => narrowing(page, first, rows.facts[first].values[a]) },
      ...across.map((b) => ({
        head: rows.facts[second].values[b], kind: "number shaded",
        cell: (a) => shaded(rows, state.metric, of(run, place(a, b)), run),
        data: (a) => ({ "data-group": `${rows.facts[first].values[a]} ${rows.facts[second].values[b]}` }),
      })),
    ];
    return el("section", {}, el("h3", {}, runName(rows, run)), table(`${rows.runs[run].label}: ${metricName(state.metric)}${unit(rows, state.metric)} by ${first} and ${second}; below each, how many tasks`, columns, down, { class: "matrix" }));
  });
}

function shaded(rows, metric, estimate, run) {
  const text = (value) => shown(rows, metric, value);
  if (estimate.value === null) return el("span", { class: "none", text: "–" });
  const cell = el("span", { class: "figure shade", "data-figure": "cell", "data-run": run, "data-value": estimate.value, "data-tasks": estimate.tasks, title: estimate.interval && `${text(estimate.interval[0])} – ${text(estimate.interval[1])}` }, el("b", { text: text(estimate.value) }), el("small", { text: count(estimate.tasks) }));
  cell.style.setProperty("--share", rows.amounts.has(metric) ? "0" : estimate.value.toFixed(3));
  return cell;
}

function without({ rows, state, mask }) {
  const missing = state.by.map((name) => {
    let answers = 0;
    for (let row = 0; row < rows.length; row += 1) answers += mask[row] && rows.facts[name].codes[row] < 0 ? 1 : 0;
    return [name, answers];
  }).filter(([, answers]) => answers);
  return missing.map(([name, answers]) => el("p", { class: "note", text: `${counted(answers, "answer")} without a known ${name}: not in this table.` }));
}

function costs(page) {
  const { rows, mask, runs, state } = page;
  const sums = rows.runs.map(() => ({ answers: 0, right: 0, known: {}, input: 0, output: 0, cost: 0, seconds: 0 }));
  const right = measure(rows, state.metric).above;
  for (let row = 0; row < rows.length; row += 1) {
    if (!mask[row]) continue;
    const one = sums[rows.run[row]];
    one.answers += 1;
    if (right[row] === 1) one.right += 1;
    for (const name of ["input", "output", "cost", "seconds"]) {
      if (Number.isNaN(rows[name][row])) continue;
      one[name] += rows[name][row];
      one.known[name] = (one.known[name] ?? 0) + 1;
    }
  }
  const of = (run, name) => (sums[run].known[name] ? sums[run][name] : null);
  const mean = (run, name) => (sums[run].known[name] ? sums[run][name] / sums[run].known[name] : null);
  const tokens = (value) => (value === null ? "–" : count(Math.round(value)));
  const marked = (name, text) => (run) => el("span", { "data-cost": name, "data-run": run, "data-value": of(run, name), text: text(of(run, name)) });
  const columns = [
    { head: "Run", cell: (run) => runName(rows, run) },
    { head: "Answers", kind: "number", cell: (run) => count(sums[run].answers) },
    { head: "Tokens in", kind: "number", cell: marked("input", tokens) },
    { head: "Tokens out", kind: "number", cell: marked("output", tokens) },
    { head: "Out per answer", kind: "number", cell: (run) => tokens(mean(run, "output")) },
    { head: "Cost", kind: "number", cell: marked("cost", money) },
    { head: "Cost per right answer", kind: "number", cell: (run) => (of(run, "cost") !== null && sums[run].right ? money(of(run, "cost") / sums[run].right) : "–") },
    { head: "Judged in, s per answer", kind: "number", cell: (run) => { const found = mean(run, "seconds"); return found === null ? "–" : found.toFixed(2); } },
  ];
  const unknown = runs.filter((run) => of(run, "input") === null && of(run, "output") === null);
  return [
    heading("Cost", "Tokens and dollars of the answers that are chosen above, as the run's calls recorded them."),
    table("Tokens and cost of every run", columns, runs, { id: "costs", quiet: true }),
    unknown.length ? el("p", { class: "note", text: `${unknown.map((run) => rows.runs[run].label).join(", ")}: no calls are recorded. Runs that score a file of answers do not know what these cost.` }) : null,
  ];
}
