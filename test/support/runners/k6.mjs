// What an example for k6 gets in place of `k6` and `k6/http`: requests that wait for their answer, as k6's do.
import { spawnSync } from "node:child_process";

function post(url, body, { headers = {} } = {}) {
  const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-sS", "-w", "\n%{http_code}", ...lines, "--data-binary", body, url];
  const { stdout } = spawnSync("curl", args, { encoding: "utf8" });
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

export function check(value, conditions) {
  for (const [name, holds] of Object.entries(conditions)) {
    if (!holds(value)) throw new Error(`Not so: ${name}: ${value.status} ${value.body}`);
  }
}

export function sleep() {}

export default { post };
