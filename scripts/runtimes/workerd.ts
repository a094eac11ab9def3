import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { minutes } from "../compat/scratch.ts";

/** No `nodejs_compat`: nothing of Node is there. */
const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.bundle.mjs")],
  compatibilityDate = "2026-01-01",
);
`;

/** Bundles the worker as its users' tools do, serves it, and asks it once. */
export async function askWorkerd(workerd: string, project: string): Promise<readonly string[]> {
  await bundle(project);
  writeFileSync(join(project, "config.capnp"), config);
  const server = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: project,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  try {
    const events = createInterface({ input: server.stdio[3] as Readable });
    const signal = AbortSignal.timeout(minutes);
    const [line] = await Promise.race([once(events, "line", { signal }), ended(server)]);
    const response = await fetch(`http://127.0.0.1:${JSON.parse(line).port}/`, { signal });
    return JSON.parse(await response.text());
  } finally {
    server.kill();
  }
}

async function ended(server: ReturnType<typeof spawn>): Promise<never> {
  const [code] = await once(server, "exit");
  throw new Error(`workerd ended with code ${code}.`);
}

function bundle(project: string): ReturnType<typeof build> {
  return build({
    entryPoints: [join(project, "worker.mjs")],
    outfile: join(project, "worker.bundle.mjs"),
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    logLevel: "error",
  });
}
