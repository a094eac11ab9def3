/** The servers that chat is timed on, each in a process of its own. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../process/child.ts";
import { ServerProcess } from "../requests/server-process.ts";
import { aimockFixtures, backlotFixtures, type Question, requestBody } from "./chat-fixtures.ts";
import type { ChatAnswer, chatGeneratorCalls } from "./chat-generator.ts";

export type Generator = Child<typeof chatGeneratorCalls>;

const command = new URL("../../dist/command/backlot.js", import.meta.url);
const bareServer = new URL("bare-server.mjs", import.meta.url);
const aimockServer = new URL("aimock-server.mjs", import.meta.url);
const aimockPackage = new URL("../node_modules/@copilotkit/aimock", import.meta.url);

/** Starts servers and ends them all. */
export class ChatServers {
  readonly #folder: string;
  readonly #started: ServerProcess[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  backlot(scripts: number): Promise<ServerProcess> {
    const file = this.#write(`backlot-${scripts}.json`, backlotFixtures(scripts));
    return this.#start(command, ["start", file, "--log", "silent", "--port"]);
  }

  /** Undefined where aimock is not installed. */
  async aimock(scripts: number): Promise<ServerProcess | undefined> {
    if (!existsSync(aimockPackage)) return undefined;
    const file = this.#write(`aimock-${scripts}.json`, aimockFixtures(scripts));
    return this.#start(aimockServer, [], file);
  }

  /** A bare server that gives one answer: the one that Backlot gave. */
  async bare(
    question: Question,
    asked: ServerProcess,
    generator: Generator,
  ): Promise<ServerProcess> {
    const body = requestBody(question);
    const answer = await generator.call("answer", { port: asked.port, body });
    if (answer.status !== 200) throw new Error(`The answer is ${JSON.stringify(answer)}`);
    const file = this.#write(`bare-${asked.port}.json`, bareAnswer(answer, question));
    return this.#start(bareServer, [], file);
  }

  async close(): Promise<void> {
    for (const server of this.#started) await server.close();
  }

  #write(name: string, value: object): string {
    const file = join(this.#folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  async #start(script: URL, before: readonly string[], ...after: string[]): Promise<ServerProcess> {
    const args = (port: number): readonly string[] => [...before, String(port), ...after];
    const server = await ServerProcess.start(script, args);
    this.#started.push(server);
    return server;
  }
}

/** Headers that node:http itself adds to each answer. */
const ownHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

function bareAnswer({ status, headers, body }: ChatAnswer, question: Question): object {
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && !ownHeaders.has(name.toLowerCase()) ? [name, headers[index + 1]] : [],
  );
  const { stream, gapMs } = question;
  return { status, headers: kept, ...(stream ? { writes: writesOf(body), gapMs } : { body }) };
}

function isText(event: string): boolean {
  return event.includes('"delta":{"content":"W');
}

/** The events of a stream as they are written: what is due at the same time goes together. */
function writesOf(body: string): readonly string[] {
  const events = body.split(/(?<=\n\n)/);
  const first = events.findIndex(isText);
  const last = events.findLastIndex(isText);
  const between = events.slice(first + 1, last);
  return [events.slice(0, first + 1).join(""), ...between, events.slice(last).join("")];
}
