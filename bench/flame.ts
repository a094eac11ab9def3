/**
 * `npm run bench:flame`: where the time goes, as flame graphs in bench/flames that a browser shows, made by
 * `node --cpu-prof`. `npm run bench:flame -- start` makes one of them. Needs a build.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { didYouMean } from "../src/core/errors/show.ts";
import { makeProject } from "./project.ts";

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** What is looked into: the files of a user's project, and what Node runs in it. */
const scenes: Readonly<Record<string, readonly [files: string, args: readonly string[]]>> = {
  "first-assertion": ["first-assertion/files", ["stages.mjs"]],
  "emulator-fetch": ["in-process/files", ["emulator-fetch.mjs"]],
  msw: ["in-process/files", ["msw-handlers.mjs"]],
  exec: ["in-process/files", [pathOf("../dist/command/backlot.js"), "exec", "--", "true"]],
};

/** What V8 writes: nodes, and which of them was at work for how many microseconds. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function with the time in it, below one chain of callers. */
interface Frame {
  readonly name: string;
  readonly kind: "own" | "node" | "other";
  time: number;
  readonly callees: Map<string, Frame>;
}

function profileOf(files: string, args: readonly string[]): Profile {
  const project = makeProject(pathOf(files));
  const folder = mkdtempSync(join(tmpdir(), "backlot-flame-"));
  try {
    const flags = ["--cpu-prof", "--cpu-prof-interval=100", `--cpu-prof-dir=${folder}`];
    const { status, stderr } = spawnSync(process.execPath, [...flags, ...args], {
      cwd: project,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`Cannot profile ${args.join(" ")}:\n${stderr}`);
    return JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8"));
  } finally {
    for (const made of [project, folder]) rmSync(made, { recursive: true, force: true });
  }
}

/** The time of each function below its callers, from the root. */
function framesOf({ nodes, samples, timeDeltas }: Profile): Frame {
  const own = new Map<number, number>();
  for (const [at, id] of samples.entries()) {
    own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[at + 1] ?? 0));
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: "all", kind: "other", time: 0, callees: new Map() };
  const add = (id: number, caller: Frame): number => {
    const node = byId.get(id);
    if (node === undefined) return 0;
    const { functionName, url, lineNumber } = node.callFrame;
    const place = url === "" ? "" : ` ${basename(url)}:${lineNumber + 1}`;
    const name = `${functionName === "" ? "(anonymous)" : functionName}${place}`;
    const known = caller.callees.get(name);
    const frame = known ?? { name, kind: kindOf(url), time: 0, callees: new Map() };
    caller.callees.set(name, frame);
    let time = own.get(id) ?? 0;
    for (const child of node.children ?? []) time += add(child, frame);
    frame.time += time;
    return time;
  };
  const [first] = nodes;
  for (const child of first?.children ?? []) root.time += add(child, root);
  return root;
}

function kindOf(url: string): Frame["kind"] {
  if (/backlot\/dist\//.test(url)) return "own";
  return url === "" || url.startsWith("node:") ? "node" : "other";
}

const width = 1600;
const height = 17;
/** Narrower frames are left out, in pixels. */
const narrowest = 3;
const letter = 6.2;
const colours = { own: "#f0a35e", node: "#b9c4cf", other: "#a8d08d" };

function drawn(root: Frame, title: string): string {
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, left: number, depth: number): void => {
    const wide = (frame.time / root.time) * width;
    if (wide < narrowest) return;
    deepest = Math.max(deepest, depth);
    const top = (depth + 2) * height;
    const text = escaped(frame.name.slice(0, Math.max(0, Math.floor(wide / letter) - 1)));
    const said = `${escaped(frame.name)}: ${(frame.time / 1000).toFixed(1)} ms`;
    boxes.push(
      `<g><title>${said}</title><rect x="${left.toFixed(1)}" y="${top}" width="${(wide - 0.5).toFixed(1)}" height="${height - 1}" fill="${colours[frame.kind]}"/>` +
        (text === "" ? "" : `<text x="${(left + 2).toFixed(1)}" y="${top + 12}">${text}</text>`) +
        "</g>",
    );
    let next = left;
    for (const callee of [...frame.callees.values()].toSorted((a, b) => b.time - a.time)) {
      draw(callee, next, depth + 1);
      next += (callee.time / root.time) * width;
    }
  };
  draw(root, 0, 0);
  const style = 'font-family="monospace" font-size="10.5"';
  const head = `${title}: ${(root.time / 1000).toFixed(0)} ms. Orange is Backlot, grey Node and V8, green others; callees below callers.`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${(deepest + 4) * height}" ${style}>
<text x="4" y="14" font-size="13">${escaped(head)}</text>
${boxes.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const names = Object.keys(scenes);
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !names.includes(name));
if (unknown === undefined) {
  mkdirSync(pathOf("flames"), { recursive: true });
  for (const [name, [files, args]] of Object.entries(scenes)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const file = pathOf(`flames/${name}.svg`);
    writeFileSync(file, drawn(framesOf(profileOf(files, args)), name));
    console.log(`bench/flames/${name}.svg`);
  }
} else {
  console.error(
    `Cannot draw "${unknown}": there is no such flame graph.${didYouMean(unknown, names)} There are: ${names.join(", ")}.`,
  );
  process.exitCode = 2;
}
