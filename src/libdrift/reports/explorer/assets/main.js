// What is asked for is in the address: whoever has it sees the same page.

const VIEWS = { overview, breakdown, compare, costs, answers, task };
const TABS = [["overview", "Overview"], ["breakdown", "Breakdown"], ["compare", "Compare"], ["costs", "Cost"], ["answers", "Answers"]];
const PAUSE = 120; // milliseconds until a step counts as the last one
const POLLING = 3000; // milliseconds between questions whether a run has gone on

function initial(rows) {
  const by = ["library", "year"].find((name) => rows.facts[name]) ?? factNames(rows)[0];
  return {
    view: "overview", metric: rows.metrics[0] ?? "hidden", from: "", to: "", undated: true, where: [], hide: [],
    by: by ? [by] : [], a: 0, b: Math.min(1, rows.runs.length - 1), q: "", outcome: "", sort: "", run: 0, task: null, sample: 0,
  };
}

const NUMBERS = new Set(["a", "b", "run", "sample"]);

function fromAddress(rows, text) {
  const state = initial(rows);
  const given = new URLSearchParams(text.replace(/^#/, ""));
  for (const name of ["view", "metric", "from", "to", "q", "outcome", "sort", "task"]) if (given.has(name)) state[name] = given.get(name);
  for (const name of NUMBERS) if (/^\d+$/.test(given.get(name) ?? "")) state[name] = Number(given.get(name));
  if (given.has("undated")) state.undated = given.get("undated") !== "0";
  if (given.has("by")) state.by = given.get("by").split(",").filter((name) => rows.facts[name]).slice(0, 2);
  if (given.has("hide")) state.hide = given.get("hide").split(",").map(Number).filter((run) => rows.runs[run]);
  state.where = given.getAll("where").map((one) => one.split(/:(.*)/s).slice(0, 2)).filter(([name, value]) => rows.facts[name] && value !== undefined);
  if (!Object.hasOwn(VIEWS, state.view)) state.view = "overview";
  if (!rows.metrics.includes(state.metric)) state.metric = rows.metrics[0] ?? "hidden";
  for (const name of ["a", "b"]) if (!rows.runs[state[name]]) state[name] = 0;
  return state;
}

function toAddress(rows, state) {
  const usual = initial(rows);
  const given = new URLSearchParams();
  for (const name of ["view", "metric", "from", "to", "q", "outcome", "sort", "a", "b"]) if (state[name] !== usual[name]) given.set(name, state[name]);
  if (!state.undated) given.set("undated", "0");
  if (state.by.join() !== usual.by.join()) given.set("by", state.by.join());
  if (state.hide.length) given.set("hide", state.hide.join());
  for (const [name, value] of state.where) given.append("where", `${name}:${value}`);
  if (state.view === "task") for (const name of ["run", "task", "sample"]) given.set(name, state[name]);
  return `#${given}`;
}

class Page {
  constructor(rows, texts) {
    this.texts = texts;
    this.searches = new Map();
    this.use(rows);
  }

  use(rows) {
    this.rows = rows;
    this.state = fromAddress(rows, location.hash);
  }

  get runs() {
    const shown = [...this.rows.runs.keys()].filter((run) => !this.state.hide.includes(run));
    return shown.length ? shown : [...this.rows.runs.keys()];
  }

  address(change) {
    return toAddress(this.rows, { ...this.state, ...change });
  }

  task(row) {
    const { rows } = this;
    return this.address({ view: "task", run: rows.run[row], task: rows.tasks.ids[rows.task[row]], sample: rows.sample[row] });
  }

  // Change the address, and with it the page. Steps of a slider leave one trace in the history, and
  // the address follows when they pause: browsers refuse hundreds of changes at once.
  go(change, { replace = false } = {}) {
    const address = this.address(change);
    clearTimeout(this.writing);
    if (replace) this.writing = setTimeout(() => history.replaceState(null, "", address), PAUSE);
    else history.pushState(null, "", address);
    this.state = fromAddress(this.rows, address);
    this.draw();
  }

  // Rows whose texts have the words: asked once, and drawn again when they are known.
  searched(words) {
    const key = words.join(" ");
    if (!this.searches.has(key)) {
      const search = { pending: true };
      this.searches.set(key, search);
      this.texts.search(this.rows, words).then((rows) => { search.rows = rows; }, (error) => { search.error = error.message; })
        .finally(() => { search.pending = false; if (wordsOf(this.state.q).join(" ") === key) this.draw(); });
    }
    return this.searches.get(key);
  }

  draw() {
    const start = performance.now();
    const focus = document.activeElement?.id;
    this.mask = chosen(this.rows, this.state);
    drawFilters(this);
    const view = $("view");
    view.replaceChildren(...[VIEWS[this.state.view](this)].flat(Infinity).filter(Boolean));
    for (const frame of view.querySelectorAll(".long")) frame.drawn();
    for (const link of $("tabs").querySelectorAll("a")) {
      const here = link.dataset.view === (this.state.view === "task" ? "answers" : this.state.view);
      link.href = this.address({ view: link.dataset.view });
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (focus && focus !== document.activeElement?.id) $(focus)?.focus({ preventScroll: true });
    document.documentElement.dataset.drawn = (performance.now() - start).toFixed(1);
    this.tell();
  }

  // For those who do not see the numbers change.
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const of = aggregate(this.rows, this.mask, this.state.metric, { size: 1, codes: null });
      const told = this.runs.slice(0, 4).map((run) => `${this.rows.runs[run].label} ${percent(of(run).value)} % of ${counted(of(run).tasks, "task")}`);
      $("told").textContent = `${metricName(this.state.metric)}: ${told.join("; ")}.`;
    }, 400);
  }
}

function drawFilters(page) {
  const { rows, state } = page;
  $("metric").value = state.metric;
  if (document.activeElement !== $("search")) $("search").value = state.q;
  $("runs").hidden = rows.runs.length < 2;
  for (const box of $("runs").querySelectorAll("input")) box.checked = page.runs.includes(Number(box.value));
  const chips = state.where.map(([name, value], at) => el("button", {
    type: "button", class: "chip", text: `${name}: ${value} ×`, "aria-label": `Remove the filter ${name}: ${value}`,
    onclick: () => page.go({ where: state.where.filter((_, other) => other !== at) }),
  }));
  $("filters").replaceChildren(...chips);
  drawDates(page);
}

function drawDates(page) {
  const { rows, state } = page;
  $("dates").hidden = !rows.dates.length;
  if (!rows.dates.length) return;
  const [first, last] = dateCodes(rows, state);
  const [from, to] = [$("from"), $("to")];
  from.max = rows.dates.length - 1;
  to.max = rows.dates.length - 1;
  from.value = first;
  to.value = last;
  // Where both are at the right end, only the left one can be moved: it must be on top.
  from.style.zIndex = first > (rows.dates.length - 1) / 2 ? 1 : 0;
  for (const part of ["histogram", "slider", "range-row"]) $(part).hidden = rows.dates.length < 2;
  from.setAttribute("aria-valuetext", rows.dates[Math.min(first, rows.dates.length - 1)]);
  to.setAttribute("aria-valuetext", rows.dates[Math.max(last, 0)]);
  const ends = [...new Set([rows.dates[first], rows.dates[last]])];
  $("range").textContent = first > last ? "no release" : ends.join(" – ");
  $("whole").disabled = !state.from && !state.to;
  $("undated-field").hidden = !rows.undated;
  $("undated").checked = state.undated;
  $("undated-text").textContent = `and ${counted(rows.undated, "answer")} without a date`;
  if (!rows.bars) {
    const counts = new Array(rows.dates.length).fill(0);
    for (const code of rows.facts.date.codes) if (code >= 0) counts[code] += 1;
    rows.bars = histogram(counts);
    $("histogram").replaceChildren(rows.bars);
  }
  for (const [at, bar] of [...rows.bars.children].entries()) {
    bar.setAttribute("class", at >= first && at <= last ? "inside" : "outside");
  }
}

function listen(page) {
  const dates = () => page.rows.dates;
  const move = (change) => page.go(change, { replace: true });
  $("from").addEventListener("input", (event) => {
    const at = Math.min(Number(event.target.value), Number($("to").value));
    move({ from: at === 0 ? "" : dates()[at] });
  });
  $("to").addEventListener("input", (event) => {
    const at = Math.max(Number(event.target.value), Number($("from").value));
    move({ to: at === dates().length - 1 ? "" : dates()[at] });
  });
  $("whole").addEventListener("click", () => page.go({ from: "", to: "" }));
  $("undated").addEventListener("change", (event) => page.go({ undated: event.target.checked }));
  $("metric").addEventListener("change", (event) => page.go({ metric: event.target.value }));
  let typing;
  $("search").addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => page.go({ q: event.target.value, view: "answers" }, { replace: page.state.view === "answers" }), 150);
  });
  $("runs").addEventListener("change", () => {
    page.go({ hide: [...$("runs").querySelectorAll("input")].filter((box) => !box.checked).map((box) => Number(box.value)) });
  });
  addEventListener("hashchange", () => {
    const place = ({ view, task: name, run, sample }) => [view, name, run, sample].join(" ");
    const before = place(page.state);
    clearTimeout(page.writing);
    page.state = fromAddress(page.rows, location.hash);
    page.draw();
    if (before !== place(page.state)) $("heading")?.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      $("search").focus();
    }
  });
  addEventListener("beforeprint", () => {
    for (const frame of document.querySelectorAll(".long")) frame.printed();
    for (const one of document.querySelectorAll("details:not([open])")) { one.open = true; one.dataset.printed = ""; }
  });
  addEventListener("afterprint", () => {
    for (const frame of document.querySelectorAll(".long")) frame.drawn();
    for (const one of document.querySelectorAll("details[data-printed]")) { one.open = false; delete one.dataset.printed; }
  });
}

function theme() {
  const kinds = ["auto", "light", "dark"];
  const read = () => { try { return localStorage.getItem("libdrift-theme") ?? "auto"; } catch { return "auto"; } };
  const use = (kind) => {
    document.documentElement.dataset.theme = kind;
    $("theme").textContent = `Theme: ${kind}`;
  };
  use(kinds.includes(read()) ? read() : "auto");
  $("theme").addEventListener("click", () => {
    const next = kinds[(kinds.indexOf(document.documentElement.dataset.theme) + 1) % kinds.length];
    use(next);
    try { localStorage.setItem("libdrift-theme", next); } catch { /* a page without storage keeps it until it is closed */ }
  });
}

function furnish(page) {
  const { rows } = page;
  $("tabs").replaceChildren(...TABS.map(([view, text]) => el("li", {}, el("a", { "data-view": view, text }))));
  $("metric").replaceChildren(...rows.metrics.map((name) => el("option", { value: name, text: metricName(name) })));
  $("run-boxes").replaceChildren(...rows.runs.map((run, at) => el("label", { class: "box" }, el("input", { type: "checkbox", value: at }), runName(rows, at))));
  $("made").textContent = `libdrift ${rows.made.libdrift}, ${rows.made.time}. ${rows.made.note ?? ""}`;
}

// A run that goes on: the server says when there is more.
async function follow(page, revision) {
  let known = revision;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, POLLING); });
    try {
      const state = await asked("/api/state");
      $("live").textContent = state.live ? "A run goes on: numbers follow it." : "";
      if (state.revision === known) continue;
      const found = await asked("/api/numbers");
      known = found.revision;
      page.searches.clear();
      page.use(new Rows(found));
      furnish(page);
      page.draw();
    } catch {
      $("live").textContent = "The server does not answer: these are its last numbers.";
    }
  }
}

async function start() {
  theme();
  const served = document.documentElement.dataset.served !== undefined;
  const found = served ? await asked("/api/numbers") : await unpacked("numbers");
  const page = new Page(new Rows(found), served ? new ServedTexts() : new EmbeddedTexts());
  furnish(page);
  listen(page);
  page.draw();
  document.documentElement.dataset.ready = "";
  if (served) follow(page, found.revision);
}

start().catch((error) => {
  $("view").replaceChildren(empty(`This page could not be read: ${error.message}`));
  throw error;
});
