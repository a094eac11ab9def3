import { expect, test } from "vitest";
import { createEmulator, type Observer } from "../../../src/index.ts";

test.each<[unknown, string]>([
  [{ exchange: () => {} }, 'nothing calls its "exchange". Did you mean "exchanged"?'],
  [{ exchanged: () => {}, error: () => {} }, 'nothing calls its "error". Use: exchanged, failed.'],
  [{ failed: "log" }, 'the option observer.failed: its value is "log". Give a function.'],
  [null, 'its value is null. Give an object with "exchanged", "failed" or both.'],
  ["log", 'Give an object with "exchanged", "failed" or both.'],
])("refuses the observer %j", async (observer, says) => {
  // As whoever writes JavaScript may give it.
  const making = createEmulator({ observer: observer as Observer });
  await expect(making).rejects.toMatchObject({
    code: "ERR_OPTION_INVALID",
    message: expect.stringContaining(says),
  });
});

class Counter implements Observer {
  count = 0;
  readonly exchanged = (): void => {
    this.count++;
  };
}

test("takes an observer that has a state of its own", async () => {
  const observer = new Counter();
  const emulator = await createEmulator({ observer, fixtures: { tables: { users: [] } } });
  await emulator.fetch("/rest/users");
  expect(observer.count).toBe(1);
});
