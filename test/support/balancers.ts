import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { nginxVersion, startNginx } from "../../scripts/scale/nginx.ts";
import { freePort, isListening } from "../../scripts/scale/ports.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A load balancer as docs/scaling.md sets it up. */
export interface RealBalancer {
  readonly name: string;
  /** Debian's package, if it is not installed. */
  readonly missing: string | undefined;
  /** Starts one in front of two processes of this machine, until the test is over. Resolves to its port. */
  readonly start: (backends: readonly number[]) => Promise<number>;
}

const hasHaproxy = spawnSync("haproxy", ["-v"]).error === undefined;

export const realBalancers: readonly RealBalancer[] = [
  {
    name: "nginx",
    missing: nginxVersion() === undefined ? "nginx-light" : undefined,
    start: async (backends) => {
      const { url, close } = await startNginx(backends);
      onTestFinished(close);
      return Number(new URL(url).port);
    },
  },
  { name: "HAProxy", missing: hasHaproxy ? undefined : "haproxy", start: startHaproxy },
];

/** The configuration of the example, with other ports. */
function haproxyConfig(listen: number, [one, two]: readonly number[]): string {
  const example = new URL("../../examples/haproxy.cfg", import.meta.url);
  return readFileSync(example, "utf8")
    .replace("127.0.0.1:4000", `127.0.0.1:${listen}`)
    .replace("127.0.0.1:4010", `127.0.0.1:${one}`)
    .replace("127.0.0.1:4011", `127.0.0.1:${two}`);
}

async function startHaproxy(backends: readonly number[]): Promise<number> {
  const { path } = await temporaryFolder({});
  const listen = await freePort();
  const config = join(path, "haproxy.cfg");
  await writeFile(config, haproxyConfig(listen, backends));
  const child = spawn("haproxy", ["-db", "-f", config], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  while (!(await isListening(listen))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}:\n${said}`);
  }
  return listen;
}
