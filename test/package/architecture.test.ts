import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** What each room may import from, besides itself. The arrows of src/ARCHITECTURE.md. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  http: [],
  store: ["errors"],
  template: ["errors"],
  rest: ["store", "http", "errors"],
  chat: ["http", "template", "store", "errors"],
  cassettes: ["http", "errors"],
  fixtures: ["cassettes", "chat", "template", "store", "errors"],
  record: ["cassettes", "fixtures", "chat", "store", "http", "errors"],
  importers: ["record", "collections", "cassettes", "fixtures", "chat", "store", "http", "errors"],
  verify: ["emulator", "fixtures", "cassettes", "chat", "http", "errors"],
  contract: ["verify", "emulator", "errors"],
  collections: ["store", "errors"],
  control: ["fixtures", "chat", "store", "http", "errors"],
  "version.ts": [],
  emulator: [
    "version.ts",
    "control",
    "fixtures",
    "collections",
    "cassettes",
    "rest",
    "chat",
    "template",
    "store",
    "http",
    "errors",
  ],
  msw: ["emulator"],
  remote: ["emulator", "errors"],
  browser: ["index.ts", "msw", "emulator", "errors"],
  worker: ["remote", "emulator", "errors", "version.ts"],
  // Types, and how counts are worded: the page is a client of its own.
  console: ["control", "chat", "fixtures", "errors"],
  node: ["remote", "emulator", "record", "cassettes", "fixtures", "http", "errors"],
  postgres: ["store", "http", "errors"],
  vite: ["node", "browser", "worker", "emulator", "fixtures", "errors"],
  cli: [
    "node",
    "postgres",
    "verify",
    "importers",
    "record",
    "cassettes",
    "emulator",
    "fixtures",
    "http",
    "errors",
  ],
  vitest: ["index.ts", "remote", "emulator", "errors"],
  "index.ts": ["msw", "emulator", "control", "fixtures", "chat", "store", "errors"],
};

/** Rooms that run anywhere: no module of Node, and no package but these. */
const portablePackages: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  http: [],
  store: [],
  template: ["liquidjs", "@faker-js/faker"],
  rest: [],
  chat: ["gpt-tokenizer", "@cfworker/json-schema"],
  fixtures: ["sqlite3-parser"],
  cassettes: [],
  record: [],
  importers: [],
  verify: [],
  contract: ["vitest"],
  collections: [],
  control: [],
  "version.ts": [],
  emulator: ["pure-rand"],
  msw: ["msw"],
  browser: ["msw"],
  worker: ["idb-keyval"],
  console: ["preact"],
  remote: [],
  vitest: ["vitest"],
  "index.ts": [],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file),
);
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), "utf8");
  // Not `"from"`, a text in a list.
  const found = text.matchAll(/(?<!")(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, target = ""]) => ({ file, room: roomOf(file), target }));
}

/** The files of the source that a file imports. */
function importedBy(file: string): string[] {
  return importsOf(file)
    .filter(({ target }) => target.startsWith("."))
    .map(({ target }) => relative(source, resolve(source, dirname(file), target)))
    .filter((imported) => imported !== file);
}

function roomOf(file: string): string {
  return file.split(sep)[0] ?? file;
}

function describeImport({ file, target }: Import): string {
  return `${file} imports ${target}`;
}

test("every room of the source stands in the map of arrows", () => {
  const rooms = new Set(files.map(roomOf));
  expect([...rooms].toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("arrows between rooms go down only", () => {
  const wrong = imports.filter(({ file, room, target }) => {
    if (!target.startsWith(".")) return false;
    const imported = relative(source, resolve(source, dirname(file), target));
    const other = roomOf(imported);
    return other !== room && !(allowed[room] ?? []).includes(other);
  });
  expect(wrong.map(describeImport)).toEqual([]);
});

test("no files import each other, by way of others either", () => {
  const targets = new Map(files.map((file) => [file, importedBy(file)]));
  // Whoever imports only files that are in no circle is in none, either.
  for (let size = Infinity; targets.size < size;) {
    size = targets.size;
    for (const [file, imported] of targets) {
      if (imported.every((other) => !targets.has(other))) targets.delete(file);
    }
  }
  expect([...targets.keys()]).toEqual([]);
});

test("portable rooms import no module of Node, and only the packages that are named for them", () => {
  const wrong = imports.filter(({ room, target }) => {
    const packages = portablePackages[room];
    if (target.startsWith(".") || packages === undefined) return false;
    return !packages.some((name) => target === name || target.startsWith(`${name}/`));
  });
  expect(wrong.map(describeImport)).toEqual([]);
});
