// What the page is about: one row an answer, in columns; rows of a run and a task are together.

async function unpacked(id) {
  const element = $(id);
  if (!element) return null;
  const text = element.textContent.trim();
  const bytes = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  element.remove(); // the text is not needed twice
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const numbersOf = (column) =>
  Float64Array.from(column, (value) => (value === null ? NaN : value));

class Rows {
  constructor(found) {
    this.runs = found.runs;
    this.tasks = found.tasks;
    this.outcomes = found.outcomes;
    this.limits = found.limits;
    this.made = found.made;
    this.length = found.rows.run.length;
    this.run = Int32Array.from(found.rows.run);
    this.task = Int32Array.from(found.rows.task);
    this.sample = Int32Array.from(found.rows.sample);
    this.outcome = Int32Array.from(found.rows.outcome);
    for (const name of ["seconds", "input", "output", "cost"]) {
      this[name] = numbersOf(found.rows[name]);
    }
    // Without a prototype: names are data, and none of them may mean something of its own.
    this.values = Object.create(null);
    for (const [name, column] of Object.entries(found.values)) this.values[name] = numbersOf(column);
    this.measures = Object.create(null);
    for (const one of found.measures) this.measures[one.name] = one;
    this.metrics = found.measures.map((one) => one.name);
    this.amounts = new Set(found.amounts);
    this.ofTexts = new Set(found.of_texts);
    this.degrees = new Set(found.degrees); // how like the reference: neither right nor wrong
    this.prepared = new Map();
    this.student = found.student;
    this.facts = Object.create(null);
    for (const [name, fact] of Object.entries(found.facts)) {
      this.facts[name] = { values: fact.values, codes: Int32Array.from(fact.codes) };
    }
    this.facts.outcome = { values: this.outcomes, codes: this.outcome };
    this.dates = this.facts.date?.values ?? [];
    this.undated = this.facts.date
      ? this.facts.date.codes.reduce((sum, code) => sum + (code < 0), 0)
      : this.length;
  }

  fact(name, row) {
    const fact = this.facts[name];
    const code = fact ? fact.codes[row] : -1;
    return code < 0 ? null : fact.values[code];
  }

  find(run, taskId, sample) {
    for (let row = 0; row < this.length; row += 1) {
      if (this.run[row] !== run || this.sample[row] !== sample) continue;
      if (this.tasks.ids[this.task[row]] === taskId) return row;
    }
    return -1;
  }
}

// Which rows count: those of a range of release dates that have the facts that were asked for.
function chosen(rows, state) {
  const mask = new Uint8Array(rows.length).fill(1);
  const date = rows.facts.date?.codes;
  if (date && rows.dates.length) {
    const [first, last] = dateCodes(rows, state);
    for (let row = 0; row < rows.length; row += 1) {
      const code = date[row];
      mask[row] = code < 0 ? Number(state.undated) : Number(code >= first && code <= last);
    }
  }
  const asked = new Map();
  for (const [name, value] of state.where) {
    if (!asked.has(name)) asked.set(name, new Set());
    asked.get(name).add(value);
  }
  for (const [name, wanted] of asked) {
    const fact = rows.facts[name];
    const codes = new Set(fact ? [...fact.values.keys()].filter((at) => wanted.has(fact.values[at])) : []);
    for (let row = 0; row < rows.length; row += 1) {
      if (mask[row] && !(fact && codes.has(fact.codes[row]))) mask[row] = 0;
    }
  }
  return mask;
}

// The ends of the range as places in the sorted list of dates.
function dateCodes(rows, state) {
  const dates = rows.dates;
  const first = state.from ? dates.findIndex((date) => date >= state.from) : 0;
  const last = state.to ? dates.findLastIndex((date) => date <= state.to) : dates.length - 1;
  return [first < 0 ? dates.length : first, last];
}

// Places of groups: one fact, or two crossed. A row without the fact is in no group.
function grouping(rows, names) {
  const facts = names.map((name) => rows.facts[name]);
  const [first, second] = facts;
  if (!first) return { size: 1, codes: null, labels: () => [] };
  if (!second) {
    return { size: first.values.length, codes: first.codes, labels: (at) => [first.values[at]] };
  }
  const wide = second.values.length;
  const codes = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    const [a, b] = [first.codes[row], second.codes[row]];
    codes[row] = a < 0 || b < 0 ? -1 : a * wide + b;
  }
  return {
    size: first.values.length * wide,
    codes,
    labels: (at) => [first.values[Math.floor(at / wide)], second.values[at % wide]],
  };
}

// What an answer brings to a measure, above and below: a ratio of counts, or a value.
const RATIOS = {
  f1: (tp, fp, fn) => [2 * tp, 2 * tp + fp + fn],
  precision: (tp, fp) => [tp, tp + fp],
  recall: (tp, fp, fn) => [tp, tp + fn],
};

function measure(rows, name) {
  if (rows.prepared.has(name)) return rows.prepared.get(name);
  const { metric, level } = rows.measures[name] ?? { metric: name, level: "" };
  const { tp, fp, fn } = rows.values;
  const ratio = Object.hasOwn(RATIOS, metric) && tp !== undefined;
  const above = ratio ? new Float64Array(rows.length).fill(NaN) : Float64Array.from(rows.values[metric] ?? new Float64Array(rows.length).fill(NaN));
  const below = ratio ? new Float64Array(rows.length) : null;
  const byAnswer = rows.runs.map(() => ratio); // else every task counts the same
  for (let row = 0; row < rows.length; row += 1) {
    if (level && rows.fact("level", row) !== level) above[row] = NaN;
    else if (ratio) [above[row], below[row]] = RATIOS[metric](tp[row], fp[row], fn[row]);
    else if (tp && !Number.isNaN(tp[row]) && !Number.isNaN(above[row])) byAnswer[rows.run[row]] = true;
  }
  const share = !rows.amounts.has(metric);
  const judged = share && !rows.ofTexts.has(metric);
  const found = { above, below, byAnswer, ratio, share, judged, known: rows.student };
  rows.prepared.set(name, found);
  return found;
}

const NOT_RUN = new Set(["locate", "explain"]); // kinds of tasks: their answers have no errors

// Of each answer that was judged, whether a fact has some value: for shares of errors.
function indicator(rows, fact, code) {
  const { codes } = rows.facts[fact];
  const judged = rows.outcomes.map((name) => name !== "infrastructure");
  const isRun = (row) => fact !== "error" || !NOT_RUN.has(rows.fact("kind", row));
  const above = Float64Array.from(codes, (one, row) =>
    (judged[rows.outcome[row]] && isRun(row) ? Number(one === code) : NaN));
  return { above, below: null, byAnswer: rows.runs.map(() => false), ratio: false, share: true, judged: true, known: rows.student };
}

// Of each run and group: a measure over tasks, with its interval.
function aggregate(rows, mask, name, groups) {
  return aggregated(rows, mask, measure(rows, name), groups);
}

function aggregated(rows, mask, one, groups) {
  const size = groups.size * rows.runs.length;
  const sums = new Sums(size);
  const open = new Int32Array(size).fill(-1);
  const [above, below, answers] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
  const close = (at) => {
    if (!answers[at]) return;
    const whole = one.byAnswer[Math.floor(at / groups.size)];
    if (whole) sums.add(at, above[at], below[at], answers[at]);
    else sums.add(at, above[at] / answers[at], 1, answers[at]);
  };
  for (let row = 0; row < rows.length; row += 1) {
    const code = groups.codes ? groups.codes[row] : 0;
    const value = one.above[row];
    if (!mask[row] || code < 0 || Number.isNaN(value)) continue;
    const at = rows.run[row] * groups.size + code;
    if (open[at] !== rows.task[row]) {
      close(at);
      open[at] = rows.task[row];
      above[at] = 0;
      below[at] = 0;
      answers[at] = 0;
    }
    if (value !== 0 && value !== 1) sums.odd[at] = 1;
    above[at] += value;
    below[at] += one.below ? one.below[row] : 1;
    answers[at] += 1;
  }
  for (let at = 0; at < size; at += 1) close(at);
  return (run, code = 0) => sums.estimate(run * groups.size + code, one);
}

// Where texts are: in the page, cut to what it has room for, or behind the server, whole.
class EmbeddedTexts {
  async load() {
    this.found ??= unpacked("texts");
    return this.found;
  }

  async detail(rows, row) {
    const texts = await this.load();
    const answer = texts.answers[row];
    const prompt = answer.prompt === undefined ? null : texts.prompts[answer.prompt];
    return { task: texts.tasks[rows.task[row]], answer: { ...answer, prompt } };
  }

  async search(rows, words) {
    const texts = await this.load();
    const lower = (parts) => parts.join("\n").toLowerCase();
    this.answers ??= texts.answers.map((one) =>
      lower([one.answer, ...one.verdicts.flatMap((verdict) => [verdict.reason, verdict.log])]));
    this.prompts ??= texts.prompts.map((messages) => lower(messages.map((one) => one.content)));
    this.tasks ??= texts.tasks.map((one) => lower([one.title, one.problem, one.starter]));
    const has = (row) => words.every((word) =>
      this.answers[row].includes(word) || this.tasks[rows.task[row]].includes(word) ||
      this.prompts[texts.answers[row].prompt]?.includes(word));
    const found = new Set();
    for (let row = 0; row < rows.length; row += 1) if (has(row)) found.add(row);
    return found;
  }
}

class ServedTexts {
  async detail(rows, row) {
    const query = new URLSearchParams({
      run: rows.run[row], task: rows.tasks.ids[rows.task[row]], sample: rows.sample[row],
    });
    return asked(`/api/detail?${query}`);
  }

  async search(rows, words) {
    const found = await asked(`/api/search?${new URLSearchParams({ q: words.join(" ") })}`);
    const wanted = new Set(found.places.map(([run, task, sample]) => `${run} ${sample} ${task}`));
    const rowsFound = new Set();
    for (let row = 0; row < rows.length; row += 1) {
      const place = `${rows.run[row]} ${rows.sample[row]} ${rows.tasks.ids[rows.task[row]]}`;
      if (wanted.has(place)) rowsFound.add(row);
    }
    return rowsFound;
  }
}

async function asked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}
