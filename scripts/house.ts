// Prints the figures of the house: how large the source is, how far one request goes through it, and which names stand twice.
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src", import.meta.url));
const isBlankOrComment = /^\s*(?:\/\/|\/\*|\*|$)/;

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** Lines that are neither blank nor comment. */
  readonly lines: number;
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path): SourceFile => {
    const text = readFileSync(join(source, path), "utf8");
    const lines = text.split("\n").filter((line) => !isBlankOrComment.test(line)).length;
    return { path, room: path.split(sep).slice(0, 2).join("/"), text, lines };
  });

function sizes(of: readonly SourceFile[]): { files: number; lines: number } {
  return { files: of.length, lines: of.reduce((sum, { lines }) => sum + lines, 0) };
}

/** The names that several files declare and export; a name that is only passed on does not count. */
function repeatedNames(): readonly string[] {
  const declaration =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [, name = ""] of text.matchAll(declaration)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(path));
    }
  }
  return [...homes].flatMap(([name, paths]) => (paths.size > 1 ? [name] : [])).toSorted();
}

const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
const chat = { model: "atlas-large", messages: [{ role: "user", content: "Hello" }] };
const requests: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  ["GET page", "/rest/products?sort_by=name&limit=2", {}],
  ["POST row", "/rest/products", { method: "POST", body: JSON.stringify({ name: "Lamp" }) }],
  ["chat", "/v1/chat/completions", { method: "POST", body: JSON.stringify(chat) }],
  [
    "stream",
    "/v1/chat/completions",
    { method: "POST", body: JSON.stringify({ ...chat, stream: true }) },
  ],
];

/** How many files of the source one request runs a function of, once all is loaded: V8 counts the calls. */
async function filesOfRequests(): Promise<Readonly<Record<string, number>>> {
  const { createEmulator } = await import("../src/index.ts");
  const emulator = await createEmulator({
    fixtures: {
      AUTHORIZATION_TOKEN: "local-token",
      models: [{ id: "atlas-large" }],
      tables: {
        products: {
          columns: { id: "INTEGER", name: "TEXT" },
          rows: [{ id: 1, name: "Chair" }],
        },
      },
      chats: [{ name: "any", reply: { content: "Hello there." } }],
    },
  });
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    const response = await emulator.fetch(
      new Request(`http://house.test${path}`, { ...init, headers }),
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  };
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const counts: Record<string, number> = {};
  for (const [name, path, init] of requests) {
    for (let n = 0; n < 3; n++) await ask(path, init);
    await session.post("Profiler.takePreciseCoverage");
    await ask(path, init);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    counts[name] = result.filter(
      ({ url, functions }) =>
        url.includes("/src/") &&
        !url.includes("/node_modules/") &&
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    ).length;
  }
  session.disconnect();
  return counts;
}

const rooms = [...new Set(files.map(({ room }) => room))].toSorted();
for (const room of rooms) {
  const { files: count, lines } = sizes(files.filter((file) => file.room === room));
  console.log(
    `${room.padEnd(24)} ${String(count).padStart(4)} files ${String(lines).padStart(6)} lines`,
  );
}
const all = sizes(files);
const core = sizes(files.filter(({ room }) => room.startsWith("core/")));
const repeated = repeatedNames();
const runs = Object.entries(await filesOfRequests()).map(([name, count]) => `${name} ${count}`);
console.log(`
lines of code in src: ${all.lines} (at most 45,000)
of these in core: ${core.lines} (at most 24,000)
files in src: ${all.files} (at most 600)
files that one warm request runs: ${runs.join(", ")} (at most 30, 36, 40, 45)
exported names that several files declare: ${repeated.length} (at most 15)
${repeated.join(" ")}`);
