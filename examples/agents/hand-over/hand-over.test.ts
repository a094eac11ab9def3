import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

test("a helper does its task in a conversation of its own", async () => {
  const emulator = await serve("hand-over");
  const agent = new Agent(emulator);
  expect(await agent.ask("Ask a helper what the first page says")).toBe("The helper is done.");
  expect(agent.messages.at(-2)).toMatchObject({
    role: "tool",
    content: "The page is about the sun.",
  });
  expect(agent.read).toEqual(["page-1.txt"]);
});
