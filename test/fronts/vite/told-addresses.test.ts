import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, type InlineConfig, type Logger, preview, type ViteDevServer } from "vite";
import { expect, onTestFinished, test } from "vitest";
import type { BacklotOptions } from "../../../src/fronts/vite/index.ts";
import { viteConfig, viteFolder } from "../../support/vite-site.ts";

/** A logger of Vite's that keeps what it is told, without colours. */
function keepingLogger(): { readonly lines: string[]; readonly customLogger: Logger } {
  const lines: string[] = [];
  // oxlint-disable-next-line no-control-regex -- it removes them
  const keep = (text: string): void => void lines.push(text.replaceAll(/\u001B\[\d+m/g, ""));
  const customLogger: Logger = {
    info: keep,
    warn: keep,
    warnOnce: keep,
    error: keep,
    clearScreen: () => {},
    hasErrorLogged: () => false,
    hasWarned: false,
  };
  return { lines, customLogger };
}

interface Told {
  readonly server: ViteDevServer;
  readonly lines: string[];
  readonly folder: string;
}

async function devServer(
  options: BacklotOptions = {},
  { server: own, ...config }: InlineConfig = {},
  files: Readonly<Record<string, unknown>> = {},
): Promise<Told> {
  const folder = await viteFolder(files);
  const { lines, customLogger } = keepingLogger();
  const server = await createServer({
    ...viteConfig(folder, options),
    customLogger,
    ...config,
    server: { port: 0, host: "127.0.0.1", ...own },
  });
  onTestFinished(() => server.close());
  if (own?.middlewareMode !== true) {
    await server.listen();
    server.printUrls();
  }
  return { server, lines, folder: folder.path };
}

function ours(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /➜ {2}(?:Backlot|Console|Token):/.test(line));
}

function originOf({ resolvedUrls }: Pick<ViteDevServer, "resolvedUrls">): string {
  return new URL(resolvedUrls?.local[0] ?? resolvedUrls?.network[0] ?? "").origin;
}

function linesAt(origin: string): readonly string[] {
  return [
    `  ➜  Backlot: ${origin}/v1 (chat), ${origin}/rest (tables)`,
    `  ➜  Console: ${origin}/__backlot/`,
    "  ➜  Token:   local-token for tables, any key for chat",
  ];
}

test("tells address, console and token right below Vite's own address", async () => {
  const { server, lines } = await devServer();
  const origin = originOf(server);
  expect(lines.slice(-4)).toEqual([`  ➜  Local:   ${origin}/`, ...linesAt(origin)]);
});

test("tells addresses without Vite's base, which Backlot does not need", async () => {
  const { server, lines } = await devServer({}, { base: "/app/" });
  expect(lines).toContain(`  ➜  Local:   ${originOf(server)}/app/`);
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
});

test("tells an address of this machine where others can connect too", async () => {
  const { server, lines } = await devServer({}, { server: { host: true } });
  expect(originOf(server)).toContain("localhost");
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
});

test("tells https where Vite speaks it", async () => {
  const [cert, key] = ["certificate", "key"].map(
    (name) => new URL(`../../support/tls/${name}.pem`, import.meta.url),
  );
  const { readFile } = await import("node:fs/promises");
  if (cert === undefined || key === undefined) throw new Error("There is no certificate.");
  const https = { cert: await readFile(cert), key: await readFile(key) };
  const { server, lines } = await devServer({}, { server: { https } });
  expect(originOf(server)).toMatch(/^https:/);
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
});

test("tells the keys and paths that the settings give", async () => {
  const options = { basePath: "/api", token: "sesame", apiKeys: ["k1", "k2"] };
  const { server, lines } = await devServer(options);
  expect(ours(lines)).toEqual([
    `  ➜  Backlot: ${originOf(server)}/api (chat), ${originOf(server)}/api/rest (tables)`,
    `  ➜  Console: ${originOf(server)}/__backlot/`,
    "  ➜  Token:   sesame for tables, k1 for chat",
  ]);
});

test("tells the token of the fixtures' config, and another after it has changed", async () => {
  const config = { "fixtures/config.json": { AUTHORIZATION_TOKEN: "one" } };
  const { server, lines, folder } = await devServer({}, {}, config);
  expect(ours(lines).at(-1)).toContain("one for tables");
  await writeFile(join(folder, "fixtures/config.json"), '{"AUTHORIZATION_TOKEN":"two"}');
  await expect.poll(() => lines.join("\n")).toContain("backlot: reloaded");
  server.printUrls();
  expect(ours(lines).at(-1)).toContain("two for tables");
});

test("says that no token is needed", async () => {
  const { lines } = await devServer({ auth: false });
  expect(ours(lines).at(-1)).toBe("  ➜  Token:   none needed");
});

test("tells paths in middleware mode, where the address is the app's", async () => {
  const { lines } = await devServer({}, { server: { middlewareMode: true } });
  expect(ours(lines)).toEqual(linesAt(""));
});

test("tells it again after the dev server has started over", async () => {
  const { server, lines } = await devServer();
  lines.length = 0;
  await server.restart();
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
  lines.length = 0;
  await server.restart();
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
});

test("tells it once if Vite tells its own addresses after starting over", async () => {
  const { server, lines } = await devServer();
  lines.length = 0;
  await server.restart();
  server.printUrls();
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
  await new Promise(setImmediate);
  server.printUrls();
  expect(ours(lines)).toHaveLength(6);
});

test.each([
  ["msw", false, ", answered in the page by msw"],
  ["worker", true, ", answered in the page by a service worker"],
] as const)("in mode %s it says who answers", async (mode, hasConsole, who) => {
  const { server, lines } = await devServer({ mode });
  const [first = "", ...more] = linesAt(originOf(server));
  expect(ours(lines)).toEqual([first + who, ...more.slice(hasConsole ? 0 : 1)]);
});

test("tells where the console is below a base in mode worker", async () => {
  const { server, lines } = await devServer({ mode: "worker" }, { base: "/app/" });
  expect(ours(lines)[1]).toBe(`  ➜  Console: ${originOf(server)}/app/__backlot/`);
});

test("tells nothing in mode off", async () => {
  const { lines } = await devServer({ mode: "off" });
  expect(lines.join("\n")).toContain("Local:");
  expect(ours(lines)).toEqual([]);
});

test("a preview tells it too", async () => {
  const folder = await viteFolder({ "dist/index.html": "<title>Built</title>" });
  const { lines, customLogger } = keepingLogger();
  const server = await preview({
    ...viteConfig(folder),
    customLogger,
    preview: { port: 0, host: "127.0.0.1" },
  });
  onTestFinished(() => server.close());
  server.printUrls();
  expect(ours(lines)).toEqual(linesAt(originOf(server)));
});

test("Vite's log has the warnings of the emulator", async () => {
  const { server, lines } = await devServer({ profiles: { tables: "starbasedb" } });
  await (await fetch(`${originOf(server)}/rest/users`)).text();
  expect(lines.join("\n")).toMatch(/backlot: GET \/rest\/users got 401\. .*Bearer local-token/);
});
