/** Lines over logarithmic axes, as a small SVG that can be read on light and on dark pages. */

export interface Line {
  readonly name: string;
  /** Where there is no figure, the line ends. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  /** What grows. */
  readonly x: string;
  /** What it costs, with its unit. */
  readonly y: string;
  /** Backlot's first. */
  readonly lines: readonly Line[];
}

const width = 640;
const height = 400;
const plot = { left: 62, right: 620, top: 74, bottom: 350 };

/** Told apart by those who see few colours, on both backgrounds. Each with a mark of its own, too. */
const colours = ["#0b6fb8", "#c75000", "#1a8a60", "#a8479b", "#8a6d00", "#64748b"];
const darkColours = ["#62b6f7", "#ff9a4d", "#4fd3a3", "#e58fd9", "#e0c04d", "#a3b1c2"];

/** Zero has no logarithm: it stands one step before one. */
function logOf(value: number): number {
  return value === 0 ? -0.5 : Math.log10(value);
}

interface Axis {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

function axisOf(
  values: readonly number[],
  from: number,
  to: number,
  ticks: readonly number[],
): Axis {
  const logs = [...values, ...ticks].map(logOf);
  const least = Math.min(...logs);
  const most = Math.max(...logs, least + 1);
  const place = (value: number): number =>
    from + ((logOf(value) - least) / (most - least)) * (to - from);
  return { place, ticks };
}

/** Powers of ten around the values. */
function powersAround(values: readonly number[]): readonly number[] {
  const logs = values.map(logOf);
  const first = Math.floor(Math.min(...logs));
  const last = Math.max(first + 1, Math.ceil(Math.max(...logs)));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

function showTick(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  if (value >= 1e4) return `${value / 1e3} k`;
  return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

const marks: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>`,
  (x, y) => `<rect x="${x - 3.5}" y="${y - 3.5}" width="7" height="7"/>`,
  (x, y) => `<path d="M${x} ${y - 5}l5 8.5h-10z"/>`,
  (x, y) => `<path d="M${x} ${y - 5}l5 5-5 5-5-5z"/>`,
  (x, y) => `<path d="M${x} ${y + 5}l5-8.5h-10z"/>`,
  (x, y) => `<circle cx="${x}" cy="${y}" r="2.5"/>`,
];

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

export function drawChart({ title, x, y, lines }: Chart): string {
  const known = lines.map(({ name, points }) => ({
    name,
    points: points.filter((point) => point.every(Number.isFinite)),
  }));
  const points = known.flatMap((line) => line.points);
  const xs = [...new Set(points.map(([value]) => value))].toSorted((one, other) => one - other);
  const ys = points.map(([, value]) => value);
  const across = axisOf(xs, plot.left + 8, plot.right - 8, xs);
  const up = axisOf(ys, plot.bottom, plot.top, powersAround(ys));
  const parts = [
    `<text class="title" x="16" y="24">${escape(title)}</text>`,
    ...known.map(({ name }, index) => legendOf(name, index, known)),
    ...up.ticks.map((tick) => {
      const at = round(up.place(tick));
      const line = `<path class="grid" d="M${plot.left} ${at}H${plot.right}"/>`;
      return `${line}<text class="end" x="${plot.left - 8}" y="${at + 4}">${showTick(tick)}</text>`;
    }),
    ...across.ticks.map((tick) => {
      const at = round(across.place(tick));
      const line = `<path class="grid" d="M${at} ${plot.top}V${plot.bottom}"/>`;
      return `${line}<text class="mid" x="${at}" y="${plot.bottom + 18}">${showTick(tick)}</text>`;
    }),
    `<text class="mid" x="${(plot.left + plot.right) / 2}" y="${height - 10}">${escape(x)}</text>`,
    `<text x="16" y="${plot.top - 10}">${escape(y)}</text>`,
    ...known.map((line, index) => drawLine(line, index, { across, up })),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<style>${style()}</style>
<rect class="page" width="${width}" height="${height}" rx="6"/>
${parts.join("\n")}
</svg>
`;
}

function rules(list: readonly string[]): string {
  return list.map((colour, index) => `.l${index}{stroke:${colour};fill:${colour}}`).join("");
}

function style(): string {
  return (
    `text{font:12px system-ui,sans-serif;fill:#334155}.title{font-size:15px;font-weight:600;fill:#0f172a}` +
    `.end{text-anchor:end}.mid{text-anchor:middle}.page{fill:#fff}.grid{stroke:#e2e8f0}` +
    `.line{fill:none;stroke-width:2}g text{stroke:none}${rules(colours)}` +
    `@media(prefers-color-scheme:dark){text{fill:#cbd5e1}.title{fill:#f1f5f9}.page{fill:#0f172a}` +
    `.grid{stroke:#334155}${rules(darkColours)}}`
  );
}

/** Names from left to right below the title, about as wide as their letters. */
function legendOf(name: string, index: number, all: readonly { readonly name: string }[]): string {
  const before = all.slice(0, index).reduce((sum, one) => sum + one.name.length * 5.7 + 26, 0);
  const at = round(22 + before);
  const mark = marks[index % marks.length]?.(at, 42) ?? "";
  return `<g class="l${index}">${mark}</g><text x="${at + 9}" y="46">${escape(name)}</text>`;
}

function drawLine(
  { points }: Line,
  index: number,
  { across, up }: { readonly across: Axis; readonly up: Axis },
): string {
  const places = points.map(([x, y]) => [round(across.place(x)), round(up.place(y))] as const);
  const path = places.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");
  const dots = places.map(([x, y]) => marks[index % marks.length]?.(x, y) ?? "").join("");
  return `<g class="l${index}"><path class="line" d="${path}"/>${dots}</g>`;
}
