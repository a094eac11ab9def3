import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RunningServer, startServer } from "../../../src/fronts/node/server.ts";
import type { TablesProfile } from "../envelopes.ts";
import { FuzzEmulator } from "../fuzz-emulator.ts";
import type { FuzzKind, FuzzWorld, Problem } from "../fuzz-kind.ts";
import { changedText } from "../odd-values.ts";
import type { Random } from "../random.ts";
import {
  breakOff,
  brokenPieces,
  type SoundRequest,
  soundRequest,
  strangeRequests,
} from "../random-requests.ts";
import { Stopwatch } from "../stopwatch.ts";
import { answerProblem, isServerRefusal, readAnswers } from "../raw-answers.ts";

/** A request that has to be answered, or bytes of which nobody can tell. */
type SentRequest = { readonly sound: SoundRequest } | { readonly bytes: string };

/** What is sent on one connection. */
export interface SentConnection {
  readonly profile: 0 | 1;
  readonly requests: readonly SentRequest[];
  /** What the client does when it has sent all: it waits, closes its side, or is gone. */
  readonly end: 0 | 1 | 2;
}

const profiles: readonly TablesProfile[] = ["document", "starbasedb"];
/** One has streams that take their time, and the other answers late. */
const timing = { document: { speed: 1 }, starbasedb: { latency: 3 } } as const;
const bodyLimit = 2_000;
const width = 48;
/** Until when there has to be an answer, and how long a server may say nothing to what may not be complete. */
const lateMs = 1_000;
const quietMs = 25;

/** Bytes on connections to the Node server: framing, lengths, headers, methods, targets, pipelining, early ends. */
export const rawHttp: FuzzKind<SentConnection> = {
  name: "http",
  width,
  make: (random) => {
    const isSound = random.chance(0.5);
    const count = random.chance(0.7) ? 1 : random.int(2, 5);
    const end = random.weighted<0 | 1 | 2>([
      [6, 0],
      [1, 1],
      [1, 2],
    ]);
    return {
      profile: random.chance(0.7) ? 0 : 1,
      requests: random.list(count, () =>
        isSound ? { sound: soundRequest(random) } : requestFor(random),
      ),
      // Who closes one side at once has to be content with what was answered by then.
      end: isSound && end === 1 ? 0 : end,
    };
  },
  open: openServers,
};

function requestFor(random: Random): SentRequest {
  if (random.chance(0.2)) return { sound: soundRequest(random) };
  if (random.chance(0.2)) return { bytes: random.pick(strangeRequests) };
  const text = soundRequest(random).parts.join("");
  const bytes = random.chance(0.1)
    ? text.slice(0, random.int(0, text.length))
    : changedText(random, text, brokenPieces);
  // A character is a byte.
  return {
    bytes: random.chance(0.005)
      ? bytes.replace("\r\n", `\r\nX-Long: ${"a".repeat(70_000)}\r\n`)
      : latin1(bytes),
  };
}

function latin1(text: string): string {
  return text.replaceAll(/[^\0-\xff]/g, "?");
}

async function openServers(): Promise<FuzzWorld<SentConnection>> {
  const opened = await Promise.all(
    profiles.map(async (tables) => {
      const emulator = await FuzzEmulator.open({
        profiles: { tables },
        bodyLimit,
        // A broken request shall come further than to be refused for its Host.
        hosts: ["*"],
        cors: { origins: ["*"] },
        ...timing[tables],
      });
      return { tables, emulator, server: await startServer(emulator.emulator, { port: 0 }) };
    }),
  );
  return {
    try: async (sent) => {
      const place = opened[sent.profile];
      if (place === undefined) throw new RangeError(`There is no profile ${sent.profile}.`);
      const problem = await new Client(place.server, place.tables).send(sent);
      return problem ?? place.emulator.failure();
    },
    check: async () => {
      for (const { emulator } of opened) {
        const problem = await emulator.check();
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
    close: async () => {
      await Promise.all(opened.map(({ server }) => server.close()));
    },
  };
}

interface MadeRequest {
  readonly parts: readonly string[];
  /** Undefined: nobody can tell. */
  readonly method: string | undefined;
  readonly isLast: boolean;
  readonly isPaced: boolean;
}

function madeOf(request: SentRequest): MadeRequest {
  if ("sound" in request) return request.sound;
  return { parts: [request.bytes], method: undefined, isLast: false, isPaced: false };
}

/** Who asks for the connection to be closed sends nothing more. */
function upToLast(requests: readonly MadeRequest[]): readonly MadeRequest[] {
  const last = requests.findIndex(({ isLast }) => isLast);
  return last === -1 ? requests : requests.slice(0, last + 1);
}

/** One connection of a client that reads strictly. */
class Client {
  readonly #socket: Socket;
  readonly #profile: TablesProfile;
  #received = "";
  #isClosed = false;
  #isCut = false;
  #wake: () => void = () => undefined;

  constructor({ host, port }: Pick<RunningServer, "host" | "port">, profile: TablesProfile) {
    this.#profile = profile;
    this.#socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (part: string) => {
      this.#received += part;
      this.#wake();
    });
    this.#socket.on("error", () => undefined);
    const close = (): void => {
      this.#isClosed = true;
      this.#wake();
    };
    this.#socket.on("end", close).on("close", close);
  }

  async send({ requests, end }: SentConnection): Promise<Problem> {
    const made = upToLast(requests.map(madeOf));
    for (const { parts } of made) await this.#write(parts);
    if (end === 2) {
      if (requests.length % 2 === 0) await nextTurn();
      this.#socket.destroy();
      return undefined;
    }
    const firstBroken = made.findIndex(({ method }) => method === undefined);
    const sound = firstBroken === -1 ? made : made.slice(0, firstBroken);
    const methods = sound.map(({ method = "GET" }) => method);
    const broken = made.slice(sound.length).flatMap(({ parts }) => parts);
    // Broken bytes cut an answer that has begun, perhaps before any of it is out.
    this.#isCut = sound.some(({ isPaced }) => isPaced);
    const isSound = broken.length === 0 && end === 0;
    const problem = isSound
      ? await this.#answers(methods)
      : await this.#goodbye(end, methods, broken.join(""));
    this.#socket.destroy();
    return problem;
  }

  async #write(parts: readonly string[]): Promise<void> {
    for (const part of parts) {
      this.#socket.write(part, "latin1");
      // Some pieces go out one by one.
      if (part.length % 3 === 0) await nextTurn();
    }
  }

  /** Waits for as many answers as there are requests, and no more. */
  async #answers(methods: readonly string[]): Promise<Problem> {
    const problem = await this.#come(methods);
    if (problem !== undefined) return problem;
    const { answers, rest } = readAnswers(this.#received, methods, this.#isClosed);
    if (answers.length > methods.length || rest !== "")
      return `more than was asked for: ${rest.slice(0, 200)}`;
    return this.#judge(methods, true);
  }

  /** Waits for as many answers as there are requests, at least. */
  async #come(methods: readonly string[]): Promise<Problem> {
    const watch = new Stopwatch();
    for (;;) {
      const { answers, problem } = readAnswers(this.#received, methods, this.#isClosed);
      if (problem !== undefined || answers.length >= methods.length) return problem;
      if (this.#isClosed)
        return `${answers.length} answers to ${methods.length} requests, and then the end`;
      const left = watch.leftOf(lateMs);
      if (left <= 0)
        return `slow: ${answers.length} answers to ${methods.length} requests: ${this.#received.slice(-200)}`;
      await this.#change(left);
    }
  }

  /** Waits until nothing more comes, closes this side, and waits for the server to do so. */
  async #goodbye(end: 0 | 1, methods: readonly string[], broken: string): Promise<Problem> {
    if (end === 0) {
      const problem = await this.#come(methods);
      if (problem !== undefined && !this.#mayBeCut(methods, broken)) return problem;
      for (let before = -1; before !== this.#received.length && !this.#isClosed;) {
        before = this.#received.length;
        await this.#change(quietMs);
      }
    }
    this.#socket.end();
    const watch = new Stopwatch();
    while (!this.#isClosed) {
      const left = watch.leftOf(lateMs);
      if (left <= 0) return `slow: the server does not close after ${this.#received.slice(-200)}`;
      await this.#change(left);
    }
    if (this.#mayBeCut(methods, broken)) return undefined;
    const { answers } = readAnswers(this.#received, methods, true);
    const answered = answers.slice(0, methods.length);
    // Node takes who closes one side for gone, and forgets what it has not answered by then.
    const isMissing = end === 0 && answered.length < methods.length;
    if (isMissing || answered.some(isServerRefusal)) {
      return `a request before broken bytes is not answered: ${this.#received.slice(-200)}`;
    }
    // Where somebody may have asked for heads only, bodies cannot be told from what comes next.
    return /HEAD/i.test(broken) ? undefined : this.#judge(methods, false);
  }

  /** After a reset what was not read is lost, and broken bytes cut an answer that is partly out. */
  #mayBeCut(methods: readonly string[], broken: string): boolean {
    if (this.#isCut || broken.includes(breakOff)) return true;
    // The system resets a connection that its last answer closed, when more comes.
    if (/HTTP\/1\.0|connection:\s*close/i.test(broken)) return true;
    return readAnswers(this.#received, methods, false).rest !== "";
  }

  #judge(methods: readonly string[], isMethodKnown: boolean): Problem {
    // Whose client closed its side first may have ended early, where its end is that of the connection.
    const isWhole = this.#isClosed && isMethodKnown;
    const { answers, problem } = readAnswers(this.#received, methods, isWhole);
    if (problem !== undefined) return problem;
    for (const answer of answers) {
      const wrong = answerProblem(this.#profile, answer, isMethodKnown);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
