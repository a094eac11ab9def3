/**
 * A small agent: it asks the model, calls the tools that the model names, and asks again, until there is an answer. The
 * model is played by the scripts in a folder's `fixtures.jsonc`, and the client is the real one.
 */
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { createEmulator, type Emulator } from "../../src/index.ts";
import { loadFixtures } from "../../src/fronts/node/index.ts";

/** A service that knows only the scripts of an example. */
export async function serve(example: string): Promise<Emulator> {
  const file = fileURLToPath(new URL(`${example}/fixtures.jsonc`, import.meta.url));
  return createEmulator({ fixtures: await loadFixtures(file), strict: true });
}

/** An agent that can read files and hand a task to a helper, which is an agent of the same kind. */
export class Agent {
  /** The conversation so far. */
  readonly messages: ChatCompletionMessageParam[];
  /** The files that it and its helpers have read, in order. */
  readonly read: string[];
  readonly #emulator: Emulator;

  constructor(
    emulator: Emulator,
    { messages = [], read = [] }: Partial<Pick<Agent, "messages" | "read">> = {},
  ) {
    this.#emulator = emulator;
    this.messages = [...messages];
    this.read = read;
  }

  /** Sends a message, does what the model asks for, and gives its last words. */
  async ask(content: string): Promise<string | null> {
    const client = new OpenAI({
      baseURL: "http://backlot.local/v1",
      apiKey: "local-key",
      fetch: this.#emulator.fetch,
    });
    this.messages.push({ role: "user", content });
    const runner = client.chat.completions.runTools({
      model: "atlas",
      stream: true,
      messages: this.messages,
      tools: [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "Reads a file",
            parameters: { type: "object", properties: { path: { type: "string" } } },
            parse: JSON.parse,
            function: ({ path }: { path: string }) => {
              this.read.push(path);
              return `What ${path} says.`;
            },
          },
        },
        {
          type: "function",
          function: {
            name: "task",
            description: "Hands a task to a helper",
            parameters: { type: "object", properties: { prompt: { type: "string" } } },
            parse: JSON.parse,
            function: async ({ prompt }: { prompt: string }) =>
              new Agent(this.#emulator, { read: this.read }).ask(prompt),
          },
        },
      ],
    });
    const answer = await runner.finalContent();
    this.messages.splice(0, Infinity, ...runner.messages);
    return answer;
  }
}
