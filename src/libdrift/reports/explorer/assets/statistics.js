// The numbers of the page. Formulas are those of the Python side (metrics/intervals.py and
// analysis/), which tests compare them with.

const Z = 1.959963984540054; // of an interval that holds in 95 of 100 cases
const NOTHING = { value: null, interval: null, tasks: 0, answers: 0 };
const ROUNDING = 1e-9; // a standard error that rounding makes of equal outcomes

function wilson(successes, n) {
  const p = successes / n;
  const z2 = Z * Z;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return [Math.max(0, Math.min(middle - half, p)), Math.min(1, Math.max(middle + half, p))];
}

// Student's t: from a table that the page was given, and beyond it by Cornish and Fisher.
function student(freedom, known) {
  if (freedom <= known.length) return known[freedom - 1];
  const [z, n] = [Z, freedom];
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, at) => sum + term / n ** (at + 1), z);
}

// Of a mean over tasks that are independent: Wilson's, with as many outcomes as give this error.
function clusteredInterval(value, error, clusters, { share, known }) {
  if (!share) {
    if (error === null) return null;
    const half = student(clusters - 1, known) * error;
    return [value - half, value + half];
  }
  let worth = clusters;
  if (error !== null && error > ROUNDING && clusters > 1) {
    worth = Math.max((value * (1 - value)) / error ** 2, 1);
    worth *= (Z / student(clusters - 1, known)) ** 2;
  }
  const inside = Math.min(1, Math.max(0, value));
  return wilson(inside * worth, worth);
}

// Sums over tasks, of which each brings what is above and what is below: all that is needed for
// their ratio and its error.
class Sums {
  constructor(size) {
    this.tasks = new Int32Array(size);
    this.answers = new Int32Array(size);
    this.odd = new Uint8Array(size); // whether some value is neither 0 nor 1
    for (const name of ["above", "below", "aa", "ab", "bb"]) this[name] = new Float64Array(size);
  }

  add(at, above, below, answers) {
    this.tasks[at] += 1;
    this.answers[at] += answers;
    this.above[at] += above;
    this.below[at] += below;
    this.aa[at] += above * above;
    this.ab[at] += above * below;
    this.bb[at] += below * below;
  }

  error(at) {
    const k = this.tasks[at];
    if (k < 2 || !this.below[at]) return null;
    const ratio = this.above[at] / this.below[at];
    const squares = Math.max(0, this.aa[at] - 2 * ratio * this.ab[at] + ratio * ratio * this.bb[at]);
    return Math.sqrt((k / (k - 1)) * squares) / Math.abs(this.below[at]);
  }

  estimate(at, { judged, share, known }) {
    const [tasks, answers] = [this.tasks[at], this.answers[at]];
    if (!tasks) return NOTHING;
    if (!this.below[at]) return { ...NOTHING, tasks, answers };
    const value = this.above[at] / this.below[at];
    if (judged && answers === tasks && !this.odd[at]) {
      return { value, interval: wilson(Math.round(this.above[at]), answers), tasks, answers };
    }
    const interval = clusteredInterval(value, this.error(at), tasks, { share, known });
    return { value, interval, tasks, answers };
  }
}

function logFactorials(n) {
  const found = new Float64Array(n + 1);
  for (let at = 2; at <= n; at += 1) found[at] = found[at - 1] + Math.log(at);
  return found;
}

// McNemar's test, exact and two-sided: whether as many pairs go one way as the other.
function mcnemar(onlyA, onlyB) {
  const n = onlyA + onlyB;
  if (!n) return 1;
  const logs = logFactorials(n);
  let tail = 0;
  for (let at = 0; at <= Math.min(onlyA, onlyB); at += 1) {
    tail += Math.exp(logs[n] - logs[at] - logs[n - at] - n * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}
