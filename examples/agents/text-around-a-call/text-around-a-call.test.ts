import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

test("the text before and after a call is one message with it", async () => {
  const agent = new Agent(await serve("text-around-a-call"));
  expect(await agent.ask("Read the first page")).toBe("I have read the first page.");
  expect(agent.messages.find(({ role }) => role === "assistant")).toMatchObject({
    content: "Let me look. One moment.",
    tool_calls: [{ function: { name: "read_file" } }],
  });
  expect(agent.read).toEqual(["page-1.txt"]);
});
