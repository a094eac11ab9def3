import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeContract } from "../../../../src/fronts/vitest/contract.ts";
import { runOwnVitest } from "../../../support/own-vitest.ts";
import { plantedService } from "../../../support/planted-service.ts";
import { realService } from "../../../support/verified-fixtures.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Runs the contract against a service by a vitest of its own. */
function runContract(
  url: string,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof runOwnVitest> {
  return runOwnVitest(folder, ["--sequence.concurrent"], { SERVICE_URL: url, ...env });
}

test.each([
  [{}, 8],
  [{ ONLY: "contract" }, 23],
  [{ ONLY: "contract", WRITES: "1" }, 34],
])("passes a service that keeps the contract, %j", { timeout: 60_000 }, async (env, count) => {
  const { code, out } = await runContract(await plantedService(await realService()), env);
  expect(out).toMatch(new RegExp(`Tests +${count} passed \\(${count}\\)`));
  expect(code).toBe(0);
});

test("fails the test of a request alone, with what differs", { timeout: 60_000 }, async () => {
  const real = await realService();
  const url = await plantedService(async (request) => {
    const response = await real(request);
    const { status, headers } = response;
    if (!request.url.endsWith("/models")) return response;
    return new Response((await response.text()).replace("owned_by", "owner"), { status, headers });
  });
  const { code, out } = await runContract(url);
  expect(out).toMatch(/Tests +1 failed \| 7 passed/);
  expect(out).toContain("cassettes/chat-all.json 1: GET /models");
  expect(out).toMatch(/AssertionError: body\.data\.0\.owned_by: the service gives nothing/);
  expect(out).toContain("body.data.0.owned_by: the service gives nothing, the emulator string");
  expect(out).toContain("body.data.0.owner: the service gives string, the emulator nothing");
  expect(code).toBe(1);
});

test("shows what a service says without what a terminal obeys", { timeout: 60_000 }, async () => {
  const real = await realService();
  const url = await plantedService(async (request) => {
    const response = await real(request);
    const { status, headers } = response;
    if (!request.url.endsWith("/models")) return response;
    const named = (await response.text()).replace("owned_by", "own\\u001b]0;x\\u0007\\u202eer");
    return new Response(named, { status, headers });
  });
  const { code, out } = await runContract(url);
  expect(out).toContain("own\\u001b]0;x\\u0007\\u202eer");
  expect(out).not.toMatch(/\p{Cc}\]0;|\u202E/u);
  expect(code).toBe(1);
});

test.each([
  [{}, 'no service is named. Give "against", "tablesAgainst" or both.'],
  [
    { against: "https://x.example", aganst: 1 },
    'there is no option "aganst". Did you mean "against"?',
  ],
])("refuses the options %j", (options, message) => {
  expect(() => describeContract(options)).toThrow(`Cannot describe the contract: ${message}`);
});
