import { expect, test } from "vitest";
import { nginxVersion, startNginx } from "../../../scripts/scale/nginx.ts";
import { runScale } from "../../../scripts/scale/run-scale.ts";
import { startTinyBalancer } from "./tiny-balancer.ts";

const hasNginx = nginxVersion() !== undefined;
// oxlint-disable-next-line no-console
if (!hasNginx) console.warn("SKIPPED: nginx is not installed (apt-get install nginx-light).");

const balancers = [
  { name: "nginx", balance: startNginx, isThere: hasNginx },
  { name: "a balancer of 40 lines", balance: startTinyBalancer, isThere: true },
];

for (const { name, balance, isThere } of balancers) {
  test.skipIf(!isThere)(
    `loses the sessions of a killed process behind ${name}, and nothing of the others`,
    { timeout: 90_000 },
    async () => {
      const verdict = await runScale({ sessions: 40, processes: 2, balance });
      expect(verdict).toMatchObject({ lostElsewhere: [], surprises: [] });
      expect(verdict.begunAnew).toBe(verdict.killed);
      expect(verdict.lostWithIt).toBeGreaterThan(0);
      expect(verdict.killed).toBeGreaterThan(0);
      expect(verdict.others).toBeGreaterThan(0);
    },
  );
}
