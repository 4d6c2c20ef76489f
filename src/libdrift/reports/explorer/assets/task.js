// One answer: what was asked, what came, how it was judged, and the API that the task turns on.

const LONGEST = 1500; // lines of a text that are compared line by line

function lineDiff(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  if (a.length > LONGEST || b.length > LONGEST) return null;
  const wide = b.length + 1;
  const common = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * wide + j] = a[i] === b[j]
        ? common[(i + 1) * wide + j + 1] + 1
        : Math.max(common[(i + 1) * wide + j], common[i * wide + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push([" ", a[i]]), i += 1, j += 1;
    else if (j >= b.length || (i < a.length && common[(i + 1) * wide + j] >= common[i * wide + j + 1])) lines.push(["-", a[i]]), i += 1;
    else lines.push(["+", b[j]]), j += 1;
  }
  return lines;
}

const code = (text, label) =>
  el("pre", { class: "code", tabindex: "0", "aria-label": label }, el("code", { text: visible(text) }));

const words = (text, label) =>
  el("pre", { class: "code words", tabindex: "0", "aria-label": label }, el("code", { text: visible(text) }));

const why = (text) => el("p", { class: "absent", text });

const part = (title, id, ...children) => el("section", { class: "part", id }, el("h3", { text: title }), children);

const cutNote = (one, name) =>
  one[`${name}_length`] ? el("p", { class: "note", text: `Cut to fit the page: it has ${count(one[`${name}_length`])} characters. libdrift view shows all of it.` }) : null;

function task(page) {
  const { rows, state } = page;
  const row = rows.find(state.run, state.task, state.sample);
  const back = el("a", { class: "back", href: page.address({ view: "answers" }), text: "All answers" });
  if (row < 0) return [back, heading(visible(state.task ?? "No task"), null), empty("These runs have no such answer.")];
  const body = el("div", { id: "detail", "aria-busy": "true" }, el("p", { class: "note", text: "Reading …" }));
  page.texts.detail(rows, row).then(
    (found) => body.replaceChildren(...detail(page, row, found).filter(Boolean)),
    (error) => body.replaceChildren(empty(`The texts could not be read: ${error.message}`)),
  ).finally(() => body.setAttribute("aria-busy", "false"));
  return [
    el("p", { class: "trail" }, back, neighbours(page, row)),
    heading(visible(state.task), null),
    el("p", { class: "trail" }, outcomeOf(rows.outcomes[rows.outcome[row]]), runName(rows, rows.run[row]), el("span", { text: `sample ${rows.sample[row]}` })),
    siblings(page, row),
    factsOf(page, row),
    body,
  ];
}

function neighbours(page, row) {
  const at = page.listed?.indexOf(row) ?? -1;
  if (at < 0) return null;
  const to = (other, text) => (other === undefined ? null : el("a", { href: page.task(other), text }));
  return el("span", { class: "neighbours" }, to(page.listed[at - 1], "Previous"), to(page.listed[at + 1], "Next"));
}

// The other answers to the same task, of all runs.
function siblings(page, row) {
  const { rows } = page;
  const others = [];
  for (let other = 0; other < rows.length; other += 1) if (rows.task[other] === rows.task[row]) others.push(other);
  if (others.length < 2) return null;
  return el(
    "nav",
    { class: "siblings", "aria-label": "Answers to this task" },
    el("ul", {}, others.slice(0, 60).map((other) => el(
      "li",
      {},
      el(
        "a",
        { href: page.task(other), "aria-current": other === row ? "true" : null, title: `${rows.runs[rows.run[other]].label}, sample ${rows.sample[other]}: ${rows.outcomes[rows.outcome[other]]}` },
        el("i", { class: `key outcome ${rows.outcomes[rows.outcome[other]]}`, "aria-hidden": "true" }),
        `${rows.runs[rows.run[other]].label} ${rows.sample[other]}`,
        el("span", { class: "unseen", text: `: ${rows.outcomes[rows.outcome[other]]}` }),
      ),
    ))),
  );
}

function factsOf({ rows }, row) {
  const known = Object.keys(rows.facts).sort().map((name) => [name, rows.fact(name, row)]).filter(([, value]) => value !== null);
  const values = rows.metrics.map((name) => [name, measure(rows, name)]).filter(([, one]) => !one.ratio && !Number.isNaN(one.above[row]))
    .map(([name, one]) => [metricName(name), shown(rows, name, one.above[row]) + (one.share ? " %" : "")]);
  const used = [
    ["tokens", Number.isNaN(rows.input[row]) ? null : `${count(rows.input[row])} in, ${count(rows.output[row])} out`],
    ["cost", Number.isNaN(rows.cost[row]) ? null : money(rows.cost[row])],
  ].filter(([, value]) => value !== null);
  return el("dl", { class: "facts" }, [...known, ...values, ...used].map(([name, value]) => el("div", {}, el("dt", { text: name.replaceAll("_", " ") }), el("dd", { text: visible(value) }))));
}

function detail(page, row, { task: about, answer }) {
  return [
    part("Verdict", "verdict", verdicts(answer)),
    part("Answer", "answer", answer.answer === undefined ? why(answer.answer_why) : [code(answer.answer, "Answer"), cutNote(answer, "answer")]),
    part("Difference to the reference", "difference", difference(about, answer)),
    part("Prompt", "prompt", prompt(about, answer)),
    part("History of the API", "history", lifeOf(about)),
  ];
}

function verdicts(answer) {
  if (!answer.verdicts.length) return why(answer.verdicts_why || "There is no verdict yet.");
  return answer.verdicts.map((one) => el(
    "div",
    { class: "judged" },
    el("p", {}, el("b", { text: one.split }), " ", outcomeOf(one.outcome), one.seconds ? el("span", { class: "quiet", text: ` in ${one.seconds.toFixed(2)} s` }) : null),
    one.reason ? el("p", { class: "reason", text: visible(one.reason) }) : null,
    el("p", { class: "quiet", text: proofOf(one) }),
    one.cases.length
      ? table(`Tests (${one.split})`, [{ head: "Test", cell: (test) => visible(test[0]) }, { head: "Outcome", cell: (test) => visible(test[1]) }], one.cases, { class: "small" })
      : why("The names of its tests are not recorded."),
    one.log
      ? el("details", { open: one.outcome !== "passed" }, el("summary", { text: "Log" }), words(one.log, "Log"), cutNote(one, "log"))
      : why("Nothing was logged."),
  ));
}

function proofOf(verdict) {
  const proofs = {
    remote: "Proof: the tests ran where the answer could not reach them.",
    plain: "Proof: the answer's text has no means to reach its tests.",
    none: "Proof: none. These tests cannot prove a pass.",
  };
  const decoys = /^decoys\((\d+)\)$/.exec(verdict.proof ?? "");
  const proof = decoys
    ? `Proof: ${counted(Number(decoys[1]), "decoy")}: tests with another expectation, which the answer rightly failed.`
    : Object.hasOwn(proofs, verdict.proof) ? proofs[verdict.proof] : "Proof: not recorded; the answer was compared, or its tests were not run.";
  const uses = verdict.uses === true ? " The answer uses the API at stake." : verdict.uses === false ? " The answer does not use the API at stake." : "";
  return proof + uses;
}

function difference(about, answer) {
  const given = answer.code ?? answer.answer;
  if (given === undefined) return why(answer.answer_why);
  if (!about?.reference) return why(about?.why || "The task has no reference.");
  if (answer.answer_length || about.reference_length) return why("The answer or the reference is cut here. libdrift view compares all of it.");
  const lines = lineDiff(about.reference.trimEnd(), given.trimEnd());
  if (!lines) return why("Too long to compare line by line.");
  if (lines.every(([kind]) => kind === " ")) return el("p", { text: "The answer is the reference, word by word." });
  const kinds = { "-": "del", "+": "ins", " ": "span" };
  return [
    el("p", { class: "quiet", text: "− only in the reference, + only in the answer" }),
    el("pre", { class: "code diff", tabindex: "0", "aria-label": "Difference, line by line" }, lines.map(([kind, line]) =>
      el(kinds[kind], { text: `${kind === "-" ? "−" : kind} ${visible(line)}\n` }))),
  ];
}

function prompt(about, answer) {
  if (answer.prompt) {
    return answer.prompt.map((message) => [el("h4", { text: message.role }), words(message.content, `Prompt, ${message.role}`), cutNote(message, "content")]);
  }
  const told = [why(answer.prompt_why)];
  if (about?.problem) told.push(el("h4", { text: "The task's own words" }), words(about.problem, "Problem"), cutNote(about, "problem"));
  if (about?.starter) told.push(el("h4", { text: "Code to start from" }), code(about.starter, "Code to start from"), cutNote(about, "starter"));
  return told;
}

function lifeOf(about) {
  const life = about?.history;
  if (!life) return why(about?.history_why || "The task names no API.");
  const facts = [
    ["API", life.path], ["kind", life.kind],
    ["introduced", `${life.introduced}${life.introduced_before ? " or before" : ""}`],
    ["deprecated", life.deprecated ? `${life.deprecated.version}: ${life.deprecated.message}` : null],
    ["removed", life.removed], ["instead", life.replacement],
    ["releases read", `${life.mined.first} to ${life.mined.last}`],
  ].filter(([, value]) => value);
  return [
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: visible(value) })))),
    life.signatures.length ? table("Signatures", [{ head: "From", cell: (one) => one.from }, { head: "To", cell: (one) => one.to }, { head: "Signature", cell: (one) => el("code", { text: visible(one.signature) }) }], life.signatures, { class: "small" }) : null,
  ];
}
