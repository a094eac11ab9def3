import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

const titler = { role: "system", content: "You are a title generator." } as const;

test("a request for a title takes no answer of the conversation that it is about", async () => {
  const emulator = await serve("title-request");
  const agent = new Agent(emulator);
  const [title, answer] = await Promise.all([
    new Agent(emulator, { messages: [titler] }).ask("Read the first page"),
    agent.ask("Read the first page"),
  ]);
  expect(title).toBe("First page");
  expect(answer).toBe("I have read the first page.");
  expect(agent.read).toEqual(["page-1.txt"]);
});
