import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

test("both calls of one answer are made before the model is asked again", async () => {
  const emulator = await serve("calls-at-once");
  const agent = new Agent(emulator);
  expect(await agent.ask("Read both pages")).toBe("I have read both pages.");
  expect(agent.read).toEqual(["page-1.txt", "page-2.txt"]);
  expect(emulator.journal.list()).toHaveLength(2);
});
