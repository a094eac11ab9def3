import type { Call } from "../http/call.ts";
import type { Timers } from "../http/scheduler.ts";
import type { StepAside } from "../http/step-aside.ts";
import type { Templates } from "../template/templates.ts";
import type { ChatEndpoint } from "./endpoints.ts";
import type { ChatLoad, LoadRule, Slot } from "./load.ts";
import type { GivenEmbedding } from "./given-embedding.ts";
import type { Model } from "./models.ts";
import type { ChatProfile } from "./profiles.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Pace } from "./scripts/script.ts";
import type { ScriptBook } from "./scripts/script-book.ts";
import type { StoredAnswers } from "./stored-answers.ts";
import type { TokenizerName } from "./tokens/tokenizer.ts";

/** The settings that chat depends on. */
export interface ChatSettings {
  readonly chatEndpoints: readonly ChatEndpoint[];
  readonly chatProfile: ChatProfile;
  readonly basePaths: readonly string[];
  readonly apiKeys: readonly string[] | null;
  /** The tokens of the tables, which a client may send by mistake. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
  readonly unmatched: "echo" | "error";
  readonly unknownModels: "accept" | "error";
  readonly pace: Pace | undefined;
  readonly speed: number;
  readonly load: readonly LoadRule[];
  readonly tokenizer: TokenizerName;
  readonly clock: unknown;
  readonly seed: number | undefined;
}

/** What chat asks of the session of a request. */
export interface ChatSession {
  readonly models: readonly Model[];
  readonly embeddings: readonly GivenEmbedding[];
  readonly templates: Templates;
  /** The chats that run, from the first one whose number is limited. */
  load: ChatLoad | undefined;
  readonly now: () => number;
  readonly state: {
    readonly scripts: ScriptBook;
    readonly answers: StoredAnswers;
    readonly clock: { readonly now: () => number; readonly standsAt: number | undefined };
    readonly random: () => number;
    readonly randomFor: (text: string) => () => number;
    readonly createId: (prefix: string) => string;
    readonly limiter: RateLimiter;
  };
  /** Rows by table, for templates. */
  readonly rowsForTemplates: () => object;
}

/** A request to chat, with all that it meets. */
export interface ChatScene {
  readonly call: Call;
  /** The path below the mount point, still percent-encoded. */
  readonly route: { readonly path: string };
  readonly session: ChatSession;
  readonly settings: ChatSettings;
  readonly timers: Pick<Timers, "now">;
  /** Its place among the chats that run, from when it has one. */
  slot?: Slot;
  /** Lets others use shared tables while it waits. Undefined: it does not hold any. */
  readonly aside?: StepAside;
  /** Tells the developer something, once. */
  readonly warnOnce: (message: string) => void;
  /** The paths of other interfaces, for the answer to a path that chat does not have. */
  readonly pathsBeside: (name: "chat", base: string) => readonly string[];
}
