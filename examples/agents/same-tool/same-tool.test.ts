import { expect, test } from "vitest";
import { Agent, serve } from "../agent.ts";

test("two conversations at the same time each read the five pages in order", async () => {
  const emulator = await serve("same-tool");
  const agents = [new Agent(emulator), new Agent(emulator)];
  const answers = await Promise.all(agents.map(async (agent) => agent.ask("Read every page")));
  const pages = [1, 2, 3, 4, 5].map((page) => `page-${page}.txt`);
  expect(agents.map(({ read }) => read)).toEqual([pages, pages]);
  expect(answers).toEqual(["I have read all five pages.", "I have read all five pages."]);
});

test("the second question of a conversation starts from the first page again", async () => {
  const agent = new Agent(await serve("same-tool"));
  await agent.ask("Read every page");
  expect(await agent.ask("Read every page once more")).toBe("I have read all five pages.");
  expect(agent.read).toHaveLength(10);
});
