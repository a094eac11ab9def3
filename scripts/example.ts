// Opens the example shop, which runs until Ctrl-C.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { readArguments } from "./arguments.ts";
import { makeConsole } from "./console/make-console.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const backends = ["server", "msw", "worker", "start"];
const usage = `Use: npm run example [${backends.join("|")}] [-- --no-open]`;
const help = `${usage}

Starts the example shop and opens it in a browser. Who answers it:
  server      Vite's dev server (the default)
  msw         msw's service worker
  worker      Backlot's own service worker
  start       a server of its own, as \`backlot start\` starts it

Options, after --:
  --no-open   open no browser
  --help      print this
`;
const { values, positionals, refuse } = readArguments(usage, {
  options: { "no-open": { type: "boolean", default: false }, help: { type: "boolean" } },
  allowPositionals: true,
});
const [backend = "server", ...others] = positionals;
if (!backends.includes(backend)) refuse(`There is no backend "${backend}".`);
if (others.length > 0) refuse(`"${others.join(" ")}" is one word too many.`);

/** Starts a server on a free port that ends with this process, and gives its URL. */
async function startBacklot(): Promise<string> {
  const words = ["--import", "tsx", "src/fronts/cli/bin.ts", "start", "fixtures", "--port", "0"];
  const server = spawn(process.execPath, [...words, "--log", "json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.on("exit", () => server.kill());
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  return JSON.parse(String(line)).url;
}

/** The program that opens an address in the user's browser. */
const openers: Partial<Readonly<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", '""'],
};

/** Opens an address. Where there is no browser, as on a server or in a container, it says what to open. */
function openBrowser(url: string): void {
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"];
  const tellWhat = (): void => console.log(`No browser opened here. Open ${url} in one.`);
  const opener = spawn(program, [...words, url], { stdio: "ignore" });
  opener.once("error", tellWhat);
  opener.once("exit", (code) => (code === 0 ? undefined : tellWhat()));
}

async function startShop(): Promise<void> {
  await makeConsole();
  process.env["BACKEND"] = backend;
  if (backend === "start") process.env["BACKLOT_URL"] = await startBacklot();
  if (backend === "worker") execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
  const server = await createServer({
    root: fileURLToPath(new URL("../examples/shop", import.meta.url)),
  });
  await server.listen();
  server.printUrls();
  const [page] = server.resolvedUrls?.local ?? [];
  const separate = process.env["BACKLOT_URL"];
  if (separate !== undefined) console.log(`  Console: ${new URL("/__backlot/", separate).href}`);
  if (page === undefined) return;
  if (values["no-open"]) console.log(`Open ${page} in a browser.`);
  else openBrowser(page);
}

if (values.help) console.log(help);
else await startShop();
