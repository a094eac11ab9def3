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

/** The parts of a request's session that chat uses. */
export interface ChatSession {
  readonly models: readonly Model[];
  readonly embeddings: readonly GivenEmbedding[];
  readonly templates: Templates;
  /** The running chats. Undefined until the first chat, if `load` has rules. */
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

/** A request to chat, with everything that its answer depends on. */
export interface ChatScene {
  readonly call: Call;
  /** The path below the mount point, still percent-encoded. */
  readonly route: { readonly path: string };
  readonly session: ChatSession;
  readonly settings: ChatSettings;
  readonly timers: Pick<Timers, "now">;
  /** The chat's place among those that run. Undefined until it has one. */
  slot?: Slot;
  /** Lets other requests use shared tables while this one waits. Undefined: this request holds no tables. */
  readonly aside?: StepAside;
  /** Warns the developer. Shows the same message only once. */
  readonly warnOnce: (message: string) => void;
  /** The paths of other interfaces, for the answer to a path that chat does not have. */
  readonly pathsBeside: (name: "chat", base: string) => readonly string[];
}
