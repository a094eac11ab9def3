/**
 * Opens the example shop: `npm run example [server|msw|worker|start]`. Who answers it is the dev server (by default), a
 * service worker, or a server of its own, as `backlot start` starts it. `--no-open` leaves the browser alone.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const backends = ["server", "msw", "worker", "start"];
const [backend = "server"] = process.argv.slice(2).filter((word) => !word.startsWith("-"));

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

if (backends.includes(backend)) {
  process.env["BACKEND"] = backend;
  if (backend === "start") process.env["BACKLOT_URL"] = await startBacklot();
  if (backend === "worker") execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
  const server = await createServer({
    root: fileURLToPath(new URL("../examples/shop", import.meta.url)),
    server: { open: !process.argv.includes("--no-open") },
  });
  await server.listen();
  server.printUrls();
  const address = process.env["BACKLOT_URL"] ?? server.resolvedUrls?.local[0];
  // A page cannot have one with msw.
  if (backend !== "msw" && address !== undefined) {
    console.log(`  Console: ${new URL("/__backlot/", address).href}`);
  }
} else {
  console.error(`There is no backend "${backend}". Use one of: ${backends.join(", ")}.`);
  process.exitCode = 2;
}
