import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { json } from "node:stream/consumers";
import type { Keeper, KeeperKind, Restart } from "../../test/fuzz/world/real.ts";
import { BacklotProcess } from "./backlot-process.ts";
import { SmallDisk } from "./small-disk.ts";

/** A built `backlot start` that records a service of ours, or watches its folder, on a small disk. */
export class KeeperProcess implements Keeper {
  readonly #command: string;
  readonly #kind: KeeperKind;
  readonly #disk: SmallDisk;
  readonly #service = new EchoService();
  #process: BacklotProcess | undefined;

  private constructor(command: string, kind: KeeperKind, disk: SmallDisk) {
    this.#command = command;
    this.#kind = kind;
    this.#disk = disk;
  }

  static async start(command: string, kind: KeeperKind): Promise<Keeper> {
    const keeper = new KeeperProcess(command, kind, await SmallDisk.make());
    await mkdir(join(keeper.#folder, "chats"), { recursive: true });
    await writeFile(join(keeper.#folder, "config.json"), "{}");
    await keeper.#service.listen();
    await keeper.#start();
    return keeper;
  }

  get port(): number {
    return this.#process?.port ?? 0;
  }

  get asked(): number {
    return this.#service.asked;
  }

  readonly fill = (): Promise<void> => this.#disk.fill();
  readonly free = (): Promise<void> => this.#disk.free();

  readonly restart = async (signal: Restart["signal"]): Promise<number | string> => {
    const ending = await this.#process?.end(signal);
    // A start needs room of its own.
    await this.#disk.free();
    await this.#start();
    return ending?.code ?? "";
  };

  readonly files = async (): Promise<ReadonlyMap<string, string>> => {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      // A hidden file beside another may take its place meanwhile.
      const text = entry.isFile() ? await readFile(path, "utf8").catch(() => undefined) : undefined;
      if (text !== undefined) files.set(relative(this.#folder, path), text);
    }
    return files;
  };

  readonly close = async (): Promise<void> => {
    await this.#process?.end("SIGKILL");
    this.#service.close();
    await this.#disk.remove();
  };

  get #folder(): string {
    return join(this.#disk.path, "shop");
  }

  async #start(): Promise<void> {
    const options =
      this.#kind === "watch"
        ? ["--watch"]
        : ["--mode", "new", "--record", `http://127.0.0.1:${this.#service.port}/v1`];
    this.#process = await BacklotProcess.start({
      command: this.#command,
      args: ["shop", ...options],
      cwd: this.#disk.path,
    });
  }
}

/** A service that answers `answer <text>`, as JSON or as a stream. */
class EchoService {
  asked = 0;
  readonly #server: Server = createServer((request, response) => {
    this.asked++;
    void answer(request, response);
  });

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages, stream } = (await json(request)) as EchoRequest;
  const content = `answer ${messages.at(-1)?.content}`;
  const message = { role: "assistant", content };
  if (stream !== true) {
    response.setHeader("content-type", "application/json");
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.end(JSON.stringify({ ...about, object: "chat.completion", choices }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  response.write(piece({ index: 0, delta: message, finish_reason: null }));
  response.end(`${piece({ index: 0, delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`);
}

interface EchoRequest {
  readonly messages: readonly { readonly content: string }[];
  readonly stream?: boolean;
}

const about = { id: "x", created: 1, model: "m" };

function piece(choice: object): string {
  const chunk = { ...about, object: "chat.completion.chunk", choices: [choice] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
