import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Balancer } from "./balancer.ts";
import { freePort, isListening } from "./ports.ts";
import { wholeConfig } from "./nginx-config.ts";

/** nginx's version, such as `nginx/1.22.1`. Undefined: it is not installed. */
export function nginxVersion(): string | undefined {
  const { stderr, error } = spawnSync("nginx", ["-v"], { encoding: "utf8" });
  return error === undefined ? stderr.trim().replace(/^.*: /, "") : undefined;
}

/** Installs nginx where that can be done. Gives why it cannot, else undefined. */
export function installNginx(): string | undefined {
  const missing = "nginx is not installed";
  if (process.getuid?.() !== 0) {
    return `${missing}, and only root can install it: apt-get install nginx-light`;
  }
  const { status, error } = spawnSync("apt-get", ["install", "-y", "nginx-light"], {
    stdio: "ignore",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (error === undefined && status === 0 && nginxVersion() !== undefined) return undefined;
  return `${missing}, and "apt-get install -y nginx-light" failed. Install nginx 1.11 or newer by hand`;
}

/** Starts an nginx of its own in front of processes on this machine, with all its files in a folder of its own. */
export async function startNginx(backends: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), "backlot-nginx-"));
  // Its worker is another user where nginx is started by root.
  await chmod(folder, 0o755);
  const listen = await freePort();
  const config = join(folder, "nginx.conf");
  await writeFile(config, wholeConfig({ listen, backends }, folder));
  const child = spawn("nginx", ["-p", folder, "-c", config, "-e", join(folder, "error.log")], {
    stdio: "ignore",
  });
  while (!(await isListening(listen))) {
    if (child.exitCode === null) continue;
    const log = await readFile(join(folder, "error.log"), "utf8");
    await rm(folder, { recursive: true, force: true });
    throw new Error(`nginx ended with ${child.exitCode}:\n${log}`);
  }
  return {
    url: `http://127.0.0.1:${listen}`,
    close: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
