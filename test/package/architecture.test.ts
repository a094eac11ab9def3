import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/**
 * The rooms of the source, a row each: what a room may import besides itself. `core` imports neither `fronts` nor
 * `extras`; extras do not import each other, and neither do fronts but for the command line, Vite, Vitest and the page.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "core/errors": [],
  "core/http": [],
  "core/schema": ["core/errors"],
  "core/json-schema": ["core/schema"],
  "core/store": ["core/schema", "core/errors"],
  "core/template": ["core/errors"],
  "core/tables": ["core/store", "core/http", "core/schema", "core/errors"],
  "core/chat": ["core/http", "core/template", "core/json-schema", "core/schema", "core/errors"],
  "core/interface.ts": ["core/tables", "core/chat", "core/http", "core/schema"],
  "core/recordings": ["core/interface.ts", "core/http", "core/schema", "core/errors"],
  "core/settings": ["core/chat", "core/tables", "core/store", "core/schema", "core/errors"],
  "core/fixture-set": [
    "core/interface.ts",
    "core/settings",
    "core/recordings",
    "core/chat",
    "core/tables",
    "core/template",
    "core/store",
    "core/http",
    "core/schema",
    "core/errors",
  ],
  "core/emulator": [
    "core/interface.ts",
    "core/settings",
    "core/fixture-set",
    "core/schema",
    "core/recordings",
    "core/tables",
    "core/chat",
    "core/template",
    "core/store",
    "core/http",
    "core/errors",
  ],
  "core/control": [
    "core/interface.ts",
    "core/emulator",
    "core/settings",
    "core/fixture-set",
    "core/schema",
    "core/chat",
    "core/tables",
    "core/store",
    "core/http",
    "core/errors",
  ],
  "index.ts": ["core", "fronts/needs"],
  "fronts/needs": ["core"],
  "fronts/msw": ["fronts/needs", "core"],
  "fronts/remote": ["core"],
  "fronts/page": ["index.ts", "fronts/msw", "fronts/remote", "core"],
  "fronts/node": ["fronts/needs", "fronts/remote", "core"],
  "fronts/vite": ["fronts/needs", "fronts/node", "fronts/page", "core"],
  "fronts/cli": ["fronts/needs", "fronts/node", "fronts/remote", "core"],
  "fronts/vitest": ["index.ts", "fronts/needs", "fronts/node", "fronts/remote", "core"],
  "extras/starbasedb": ["core"],
  "extras/sqlite": ["core"],
  "extras/embeddings": ["core"],
  "extras/generate": ["core"],
  "extras/recordings": ["core"],
  // Its page is built, and kept outside the source.
  "extras/console": ["core", "../.built"],
  "extras/collections": ["core"],
  "extras/postgres": ["core"],
  "extras/responses": ["core"],
  "extras/stored-completions": ["core"],
};

/** The one file of a front that may import extras, and the thread that is another program. */
const registers = /^(?:index|fronts\/[^/]+\/extras|fronts\/node\/dump-worker)\.ts$/;

/** Arrows that are still to be turned, from a file to a room. One that is gone has to leave this list. */
const stillWrong: readonly string[] = [];

/** Rooms that run anywhere: no module of Node, and no package but these. */
const portablePackages: Readonly<Record<string, readonly string[]>> = {
  "core/errors": [],
  "core/http": [],
  "core/schema": [],
  "core/json-schema": ["@cfworker/json-schema"],
  "core/store": [],
  "core/template": ["liquidjs", "@faker-js/faker"],
  "core/tables": [],
  "core/chat": [],
  "core/recordings": [],
  "core/interface.ts": [],
  "core/settings": [],
  "core/fixture-set": ["jsonc-parser", "scslre"],
  "core/control": [],
  "core/emulator": ["pure-rand"],
  "index.ts": [],
  "fronts/needs": [],
  "fronts/msw": ["msw"],
  "fronts/page": ["msw", "idb-keyval"],
  "fronts/remote": [],
  "fronts/vitest": ["vitest"],
  "extras/starbasedb": [],
  "extras/sqlite": ["sql.js"],
  "extras/generate": ["jsonc-parser"],
  "extras/recordings": ["vitest", "eventsource-parser"],
  "extras/console": ["eventsource-parser", "marked", "microdiff", "preact"],
  "extras/collections": [],
  "extras/embeddings": [],
  "extras/responses": [],
  "extras/stored-completions": [],
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

/** A room is a folder of a wing; what lies beside the wings is one of its own. */
function roomOf(file: string): string {
  const [wing = file, room] = file.split(sep);
  return room === undefined ? wing : `${wing}/${room}`;
}

function describeImport({ file, target }: Import): string {
  return `${file} imports ${target}`;
}

function isAllowed(file: string, room: string, other: string): boolean {
  const [wing = ""] = other.split("/");
  if (other === room || (wing === "extras" && registers.test(file))) return true;
  const rooms = allowed[room] ?? [];
  return rooms.includes(other) || rooms.includes(wing);
}

test("every room of the source stands in the map of arrows", () => {
  const rooms = new Set(files.map(roomOf));
  expect([...rooms].toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("arrows between rooms go down only", () => {
  const wrong = imports.flatMap(({ file, room, target }) => {
    if (!target.startsWith(".")) return [];
    const other = roomOf(relative(source, resolve(source, dirname(file), target)));
    return isAllowed(file, room, other) ? [] : [`${file} → ${other}`];
  });
  expect([...new Set(wrong)].toSorted()).toEqual(stillWrong);
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

test("nobody compares the name of an interface: the interface is asked", () => {
  // A model has a kind, a file a folder, the console a view: those have such names, too.
  const comparison =
    /(?<!\b(?:kind|folder|view)) [!=]== "(?:chat|tables)"|"(?:chat|tables)" [!=]==|\bcase "(?:chat|tables)"/;
  const found = files.filter((file) => comparison.test(readFileSync(join(source, file), "utf8")));
  expect(found).toEqual([]);
});

test("an endpoint of an extra is its rows and its folder: no other file names its path, nor imports it", () => {
  const rows = files.filter((file) => /^extras\/[^/]+\/endpoints\.ts$/.test(file));
  expect(rows).toContain("extras/embeddings/endpoints.ts");
  const ownRows = readFileSync(join(source, "core/chat/endpoints.ts"), "utf8");
  for (const row of rows) {
    const folder = dirname(row);
    const found = readFileSync(join(source, row), "utf8").matchAll(/^ {4}path: "([^"]+)"/gm);
    // A path of the core may have further methods.
    const paths = [...found]
      .map(([, path = ""]) => `"${path}"`)
      .filter((path) => !ownRows.includes(path));
    expect(paths).not.toEqual([]);
    const others = files.filter((file) => !file.startsWith(folder));
    const naming = others.filter((file) => {
      const text = readFileSync(join(source, file), "utf8");
      return paths.some((path) => text.includes(path));
    });
    expect(naming).toEqual([]);
    const importing = others.filter((file) =>
      importedBy(file).some((imported) => imported.startsWith(folder)),
    );
    expect(importing.filter((file) => !registers.test(file))).toEqual([]);
  }
});

test("the core names no guest: no package, database or browser storage, and no flag that belongs to one", () => {
  const guests =
    /postgres|@mswjs?\/data|IndexedDB|persistence|--(?:tables|record|mode|persist)(?![\w-])/i;
  const found = files.filter(
    (file) => file.startsWith("core") && guests.test(readFileSync(join(source, file), "utf8")),
  );
  expect(found).toEqual([]);
});

test("portable rooms import no module of Node, and only the packages that are named for them", () => {
  const wrong = imports.filter(({ room, target }) => {
    const packages = portablePackages[room];
    if (target.startsWith(".") || packages === undefined) return false;
    return !packages.some((name) => target === name || target.startsWith(`${name}/`));
  });
  expect(wrong.map(describeImport)).toEqual([]);
});
