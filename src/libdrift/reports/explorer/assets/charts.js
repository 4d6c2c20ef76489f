// Charts as SVG of our own: they print sharp, take the page's colours, and need no script of others.

const MARKS = 6; // shapes and colours of runs; then they begin again

const sign = (run) => `series s${run % MARKS}`;

function mark(run, x, y, size = 4) {
  const shapes = [
    () => svg("circle", { cx: x, cy: y, r: size }),
    () => svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size }),
    () => svg("path", { d: `M${x} ${y - size - 1}l${size + 1} ${2 * size}h${-2 * size - 2}z` }),
    () => svg("path", { d: `M${x} ${y - size - 2}l${size + 1} ${size + 2}l${-size - 1} ${size + 2}l${-size - 1} ${-size - 2}z` }),
    () => svg("path", { d: `M${x} ${y + size + 1}l${size + 1} ${-2 * size}h${-2 * size - 2}z` }),
    () => svg("path", { class: "line", d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}` }),
  ];
  return shapes[run % MARKS]();
}

const signOf = (run) =>
  svg("svg", { class: `sign ${sign(run)}`, viewBox: "0 0 14 14", "aria-hidden": "true" }, mark(run, 7, 7));

// An estimate as a dot on a line from 0 to 100, with its interval.
function intervalBar(run, estimate) {
  if (estimate.value === null) return null;
  const [low, high] = estimate.interval ?? [estimate.value, estimate.value];
  const at = (value) => (4 + 112 * Math.max(0, Math.min(1, value))).toFixed(1);
  return svg(
    "svg",
    { class: `interval ${sign(run)}`, viewBox: "0 0 120 14", "aria-hidden": "true" },
    svg("line", { class: "axis", x1: 4, x2: 116, y1: 7, y2: 7 }),
    svg("line", { class: "range", x1: at(low), x2: at(high), y1: 7, y2: 7 }),
    svg("circle", { cx: at(estimate.value), cy: 7, r: 3.5 }),
  );
}

// Parts of a whole, side by side.
function stackedBar(parts) {
  const whole = parts.reduce((sum, part) => sum + part.count, 0);
  let x = 0;
  const pieces = parts.filter((part) => part.count).map((part) => {
    const width = (200 * part.count) / whole;
    const piece = svg("rect", { class: `outcome ${part.name}`, x, y: 0, width, height: 10 });
    x += width;
    return piece;
  });
  return svg(
    "svg",
    { class: "stacked", viewBox: "0 0 200 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    pieces,
  );
}

// How many answers there are by release date, above the slider.
function histogram(counts) {
  const most = Math.max(1, ...counts);
  const width = 600 / Math.max(1, counts.length);
  return svg(
    "svg",
    { class: "histogram", viewBox: "0 0 600 40", preserveAspectRatio: "none", "aria-hidden": "true" },
    counts.map((number, at) => {
      const height = number ? Math.max(1.5, (40 * number) / most) : 0;
      return svg("rect", {
        x: at * width, y: 40 - height, width: Math.max(0.6, width * 0.82), height,
      });
    }),
  );
}

const LEFT = 44;
const TOP = 14;
const HEIGHT = 230;

// Estimates of several runs over periods: {run, label, points: [estimate by period]}.
function timeChart(title, periods, lines) {
  const room = Math.max(320, $("view").clientWidth - 4);
  const width = Math.min(room, 1100, 120 + periods.length * 96);
  const inner = width - LEFT - 20;
  const step = inner / Math.max(1, periods.length);
  const x = (at, run) => LEFT + step * (at + 0.5) + (run - (lines.length - 1) / 2) * Math.min(9, step / (lines.length + 1));
  const y = (value) => TOP + HEIGHT * (1 - value);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: width - 20, y1: y(value), y2: y(value) }),
    svg("text", { class: "tick", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end", text: `${100 * value}` }),
  ]);
  const every = Math.ceil(periods.length / Math.max(1, Math.floor(inner / 58)));
  const labels = periods.map((period, at) =>
    at % every === 0
      ? svg("text", { class: "tick", x: LEFT + step * (at + 0.5), y: TOP + HEIGHT + 22, "text-anchor": "middle", text: period })
      : null);
  const drawn = lines.map((line, number) => {
    const known = line.points.map((one, at) => ({ one, at })).filter(({ one }) => one.value !== null);
    const path = known.map(({ one, at }, place) =>
      `${place ? "L" : "M"}${x(at, number).toFixed(1)} ${y(one.value).toFixed(1)}`).join("");
    return svg(
      "g",
      { class: sign(line.run) },
      svg("path", { class: "line", d: path }),
      known.map(({ one, at }) => {
        const [low, high] = one.interval ?? [one.value, one.value];
        return svg(
          "g",
          {},
          svg("line", { class: "range", x1: x(at, number), x2: x(at, number), y1: y(low), y2: y(high) }),
          mark(line.run, x(at, number), y(one.value)),
          svg("title", { text: `${line.label}, ${periods[at]}: ${percent(one.value)} of 100 (${percent(low)} to ${percent(high)}), ${counted(one.tasks, "task")}` }),
        );
      }),
    );
  });
  return el(
    "div",
    { class: "scroll chart", tabindex: "0", role: "region", "aria-label": title },
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${TOP + HEIGHT + 34}`, width, role: "img", "aria-label": `${title}. The table below has the numbers.` },
      grid, labels, drawn,
    ),
  );
}
