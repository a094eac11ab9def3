import type { Random } from "../random.ts";
import { type Draw, type Problem, move } from "./asking.ts";
import { unasked } from "./browser-moves.ts";
import { WorldClient, type Reply } from "./client.ts";
import { endSignals, type Keeper, type KeeperKind, type Restart } from "./real.ts";

// A server of its own that writes files: what it was told to keep is there, whole, or was refused.

type Act =
  | { readonly act: "ask"; readonly text: string; readonly stream: boolean }
  | { readonly act: "load"; readonly why: string; readonly text: string }
  | { readonly act: "save"; readonly name: string; readonly content: string }
  | { readonly act: "cassettes" | "fill" | "free" }
  | { readonly act: "restart"; readonly signal: Restart["signal"] };

const texts = ["t0", "t1", "t2", "t3"] as const;
const why = Object.keys(unasked);

function drawAct(random: Random, kind: KeeperKind): Act {
  const act = random.weighted<Act["act"]>([
    [6, "ask"],
    [2, "load"],
    [kind === "watch" ? 5 : 0, "save"],
    [kind === "watch" ? 2 : 0, "cassettes"],
    [2, "fill"],
    [1, "free"],
    [1, "restart"],
  ]);
  switch (act) {
    case "ask":
      return { act, text: random.pick(texts), stream: random.chance(0.5) };
    case "load":
      return { act, why: random.pick(why), text: random.pick(texts) };
    case "save":
      return {
        act,
        name: random.pick(["s0", "s1", "s2"]),
        content: "x".repeat(random.pick([1, 9_000])),
      };
    case "restart":
      return { act, signal: random.pick(endSignals) };
    default:
      return { act };
  }
}

export const keep: Draw = (random) => {
  const kind = random.pick(["record", "watch"] as const);
  const acts = random.list(random.int(2, 12), () => drawAct(random, kind));
  return move({ keep: kind, acts }, async (_, real) => {
    const keeper = await real.server.keeper?.(kind);
    if (keeper === undefined) return undefined;
    const folder = new KeptFolder(keeper, kind);
    try {
      for (const act of acts) {
        const wrong = (await folder.run(act)) ?? (await folder.wrongFiles());
        if (wrong !== undefined) return `${JSON.stringify(act)}: ${wrong}`;
      }
      return await folder.run({ act: "restart", signal: "SIGTERM" });
    } finally {
      folder.close();
      await keeper.close();
    }
  });
};

/** A server of its own, and what it has to have kept. */
class KeptFolder {
  readonly #keeper: Keeper;
  readonly #kind: KeeperKind;
  /** What scripts say that were saved, by their names. */
  readonly #scripts = new Map<string, string>();
  /** The texts of which answers have come whole from the service. */
  readonly #recorded = new Set<string>();
  /** Those of them that the process has found in its cassettes. */
  #replayed: ReadonlySet<string> = new Set();
  #isFull = false;
  /** Whether a process was killed, which may leave hidden files. */
  #wasKilled = false;
  #client: WorldClient;

  constructor(keeper: Keeper, kind: KeeperKind) {
    this.#keeper = keeper;
    this.#kind = kind;
    this.#client = new WorldClient(keeper.port);
  }

  close(): void {
    this.#client.close();
  }

  async run(act: Act): Promise<Problem> {
    switch (act.act) {
      case "ask":
        return this.#ask(act.text, act.stream);
      case "load":
        return this.#load(act.why, act.text);
      case "save":
        return this.#save(act.name, act.content);
      case "cassettes":
        return this.#writeCassettes();
      case "fill":
        this.#isFull = true;
        await this.#keeper.fill();
        return undefined;
      case "free":
        this.#isFull = false;
        await this.#keeper.free();
        return undefined;
      case "restart":
        return this.#restart(act.signal);
    }
  }

  /** No file is half written, and each has what was acknowledged. */
  async wrongFiles(): Promise<Problem> {
    const files = await this.#keeper.files();
    for (const [name, text] of files) {
      if (!name.endsWith(".json")) continue;
      try {
        JSON.parse(text);
      } catch {
        return `${name} is no JSON: ${JSON.stringify(text.slice(0, 100))}`;
      }
    }
    for (const [name, content] of this.#scripts) {
      const text = files.get(`chats/${name}.json`);
      if (text === undefined || JSON.parse(text).reply?.content !== content)
        return `the script ${name} was saved, and its file is ${text?.slice(0, 100)}`;
    }
    return undefined;
  }

  async #ask(text: string, stream: boolean): Promise<Problem> {
    const before = this.#keeper.asked;
    const { status, text: body } = await this.#chat(text, stream, {});
    const wanted = this.#kind === "record" ? `answer ${text}` : `Echo: ${text}`;
    const said = body.replaceAll('"},"finish_reason":null}]}', "");
    if (status !== 200) return `${text} is answered ${status} ${body.slice(0, 200)}`;
    if (this.#kind === "record" && !said.includes(wanted)) return `${text}: ${body.slice(0, 200)}`;
    const key = `${text} ${stream}`;
    if (this.#replayed.has(key) && this.#keeper.asked > before)
      return `${key} is in a cassette, and the service is asked again`;
    if (this.#kind === "record") this.#recorded.add(key);
    return undefined;
  }

  async #load(reason: string, text: string): Promise<Problem> {
    const before = this.#keeper.asked;
    const { status } = await this.#chat(text, false, unasked[reason] ?? {});
    if (status !== 403) return `it is answered ${status}`;
    return this.#keeper.asked === before ? undefined : "the service was asked";
  }

  async #save(name: string, content: string): Promise<Problem> {
    const body = { name, when: { user: { equals: name } }, reply: { content } };
    const reply = await this.#send("/__backlot/fixtures/chats", JSON.stringify(body), {});
    const isThere = this.#scripts.has(name);
    if (reply.status === 201 && isThere) return "a script is saved over another";
    if (reply.status === 201) this.#scripts.set(name, content);
    else if (reply.status !== 400 || (!isThere && !this.#isFull))
      return `it is answered ${reply.status} ${reply.text.slice(0, 300)}`;
    return undefined;
  }

  async #writeCassettes(): Promise<Problem> {
    const { status, text } = await this.#send("/__backlot/fixtures/cassettes", "", {});
    // There may be nothing to write, or no room.
    return status === 201 || status === 400
      ? undefined
      : `it is answered ${status} ${text.slice(0, 300)}`;
  }

  async #restart(signal: Restart["signal"]): Promise<Problem> {
    const code = await this.#keeper.restart(signal);
    const wasFull = this.#isFull;
    this.#isFull = false;
    this.#client.close();
    this.#client = new WorldClient(this.#keeper.port);
    const files = await this.#keeper.files();
    if (signal === "SIGKILL") this.#wasKilled = true;
    else if (code !== 0 && !(wasFull && code === 1)) return `${signal} ends with ${code}`;
    const hidden = [...files.keys()].filter((name) => /\.tmp$|\.lock/.test(name));
    if (hidden.length > 0 && !this.#wasKilled) return `it leaves ${hidden.join()}`;
    for (const key of this.#recorded) {
      if (isIn(files, key)) continue;
      if (code === 0) return `the answer to ${key} is not in its cassette`;
      this.#recorded.delete(key);
    }
    this.#replayed = new Set(this.#recorded);
    return this.wrongFiles();
  }

  #chat(
    text: string,
    stream: boolean,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<Reply> {
    const body = { model: "m", stream, messages: [{ role: "user", content: text }] };
    return this.#send("/v1/chat/completions", JSON.stringify(body), headers);
  }

  #send(
    path: string,
    body: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<Reply> {
    const all = {
      host: `127.0.0.1:${this.#keeper.port}`,
      authorization: "Bearer any",
      "content-type": "application/json",
      "content-length": String(body.length),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const bytes = [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
    return this.#client.ask(bytes, "POST");
  }
}

/** Whether a cassette has the answer to a text, as a stream or not. */
function isIn(files: ReadonlyMap<string, string>, key: string): boolean {
  const [text = "", stream] = key.split(" ");
  return [...files].some(([name, file]) => {
    if (!name.startsWith("cassettes/") || !name.endsWith(".json")) return false;
    const { recordings = [] } = JSON.parse(file) as {
      readonly recordings?: readonly { readonly response?: { readonly stream?: unknown } }[];
    };
    return recordings.some(
      (recording) =>
        JSON.stringify(recording).includes(`answer ${text}`) &&
        JSON.stringify(recording).includes('"stream":[') === (stream === "true"),
    );
  });
}
