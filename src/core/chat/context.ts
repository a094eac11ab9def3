import type { Templates } from "../template/templates.ts";
import type { GivenEmbedding } from "./given-embedding.ts";
import type { ModelContext } from "./models.ts";
import type { ChatProfile } from "./profiles.ts";
import type { ScriptBook } from "./scripts/script-book.ts";
import type { Slot } from "./load.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { StoredAnswers } from "./stored-answers.ts";
import type { Pace } from "./scripts/script.ts";
import type { TokenizerName } from "./tokens/tokenizer.ts";

/** Everything that an answer depends on besides the call. */
export interface ChatContext extends ModelContext {
  /** The scripts and how often each has answered. */
  readonly scripts: ScriptBook;
  /** The answers that requests asked to keep. */
  readonly answers: StoredAnswers;
  readonly profile: ChatProfile;
  /** The model that the path names, as Azure's paths do. It replaces the one in the body. */
  readonly deployment?: string | undefined;
  /** The answer to a request that no script matches. */
  readonly unmatched: "echo" | "error";
  /** The accepted keys. An empty list accepts any key, null needs none. */
  readonly apiKeys: readonly string[] | null;
  /** The tokens of the tables, which a client may send by mistake. */
  readonly tablesTokens?: readonly string[] | undefined;
  readonly cors: boolean;
  /** The paths of other interfaces below a mount point of chat. A 404 names them too. */
  readonly otherPaths?: (base: string) => readonly string[];
  /**
   * A sentence that says where the rows are that a call's unknown path seems to mean. Undefined: the path does not mean
   * rows.
   */
  readonly elsewhere?: string | undefined;
  /** Where the service is mounted, without a trailing slash; the root is empty. Default: the root. */
  readonly basePaths?: readonly string[];
  /** The vectors that the fixtures give for texts. Default: none. */
  readonly embeddings?: readonly GivenEmbedding[];
  /** The seed of the settings. Undefined: the settings have none. */
  readonly seed?: number | undefined;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Whether `now` never changes, so that limits never refill. */
  readonly clockStands?: boolean;
  /** Numbers from 0 up to but not including 1. */
  readonly random: () => number;
  readonly createId: (prefix: string) => string;
  /** Numbers like those of `random` that depend on the seed and a text alone. */
  readonly randomFor: (text: string) => () => number;
  /** Called with a warning about an answer that may surprise the developer. */
  readonly warned?: ((message: string) => void) | undefined;
  /** Divides every wait; 0 means no waiting. */
  readonly speed: number;
  /** The pace of streams whose reply has neither a pace nor chunks. */
  readonly pace?: Pace | undefined;
  /** How tokens are counted. */
  readonly tokenizer: TokenizerName;
  /** The rate limits and their state; undefined: no limits. */
  readonly limiter?: RateLimiter | undefined;
  /**
   * Gives a chat with this model a place among those that run. Undefined: there is no limit, and each chat is answered
   * as if it were alone.
   */
  readonly load?: ((model: string) => Promise<Slot | undefined>) | undefined;
  readonly templates: Templates;
  /** The variables of templates besides the request, such as `tables`. */
  readonly templateScope: () => Readonly<Record<string, unknown>>;
}
