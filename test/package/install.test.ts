import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = inject("installed");

function run(code: string): string {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: folder,
    encoding: "utf8",
  });
}

test("the installed package serves the built-in fixtures by its bin", async () => {
  const bin = join(folder, "node_modules", ".bin", "backlot");
  const server = spawn(bin, ["--port", "0", "--log", "json"], { cwd: folder });
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const ready = JSON.parse(line);
    const response = await fetch(`${ready.url}/rest/products?limit=2`, {
      headers: { authorization: "Bearer local-token" },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: [{ id: 1 }, { id: 2 }] });
  } finally {
    server.kill();
  }
});

test("the installed package answers in process, without msw", () => {
  const printed = run(`
    import { createEmulator } from "backlot";
    const emulator = await createEmulator({ fixtures: { notes: [{ id: 1, text: "hello" }] } });
    const headers = { authorization: "Bearer local-token" };
    const response = await emulator.fetch("/rest/notes/1", { headers });
    console.log(await response.text());
  `);
  expect(printed).toBe('{"result":[{"id":1,"text":"hello"}]}\n');
});

test("the installed package starts a server from code", () => {
  const printed = run(`
    import { createEmulator } from "backlot";
    import { startServer } from "backlot/node";
    const server = await startServer(await createEmulator(), { port: 0 });
    const response = await fetch(server.url + "/v1/models", { headers: { authorization: "Bearer k" } });
    console.log(response.status);
    await server.close();
  `);
  expect(printed).toBe("200\n");
});

test("the package holds what is built and the fixtures, and nothing else", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const files: { path: string }[] = JSON.parse(listed)[0].files;
  const roots = new Set(files.map(({ path }) => path.replace(/\/.*/, "")));
  expect([...roots].toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "dist",
    "docs",
    "fixtures",
    "fixtures.schema.json",
    "llms.txt",
    "package.json",
    "templates",
  ]);
  expect(files.filter(({ path }) => path.endsWith(".tsbuildinfo"))).toEqual([]);
});
