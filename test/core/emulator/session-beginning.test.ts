import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const at = "2024-01-01T00:00:00.000Z";

async function read(
  emulator: Awaited<ReturnType<typeof createEmulator>>,
  path: string,
): Promise<unknown> {
  return (await emulator.fetch(`/__backlot${path}`)).json();
}

test("tells when a session began, in the list of sessions and beside its journal", async () => {
  const emulator = await createEmulator({ fixtures: { tables: {} }, auth: false, clock: at });
  await emulator.fetch("/@mine/v1/models");
  expect(await read(emulator, "/sessions")).toMatchObject({
    sessions: [{ id: "mine", beganAt: at, requests: 1 }],
  });
  const journal = await emulator.fetch("/@mine/__backlot/requests");
  expect(await journal.json()).toMatchObject({ beganAt: at, requests: [{ id: "1" }] });
});

test("tells of a session that was forgotten when it began anew", async () => {
  const emulator = await createEmulator({ fixtures: { tables: {} }, auth: false });
  const began = async (): Promise<number> => {
    await emulator.fetch("/@mine/v1/models");
    const { beganAt } = JSON.parse(
      await (await emulator.fetch("/@mine/__backlot/requests")).text(),
    );
    return Date.parse(beganAt);
  };
  const first = await began();
  expect(await began()).toBe(first);
  await expect.poll(() => Date.now()).toBeGreaterThan(first);
  await emulator.fetch("/__backlot/sessions/mine", { method: "DELETE" });
  expect(await began()).toBeGreaterThan(first);
});
