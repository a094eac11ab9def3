import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

test("a conversation goes on with another server, and by another agent", async () => {
  const before = new Agent(await serve("resumed"));
  expect(await before.ask("I am Ada")).toBe("Hello Ada.");
  const after = new Agent(await serve("resumed"), before);
  expect(await after.ask("What is my name?")).toBe("Your name is Ada.");
});
