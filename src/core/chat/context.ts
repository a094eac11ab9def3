import type { Templates } from "../template/templates.ts";
import type { Model } from "./models.ts";
import type { ChatProfile } from "./profiles.ts";
import type { ScriptBook } from "./scripts/script-book.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Pace } from "./scripts/script.ts";
import type { TokenizerName } from "./tokens/tokenizer.ts";

/** All that an answer depends on besides the call. */
export interface ChatContext {
  readonly models: readonly Model[];
  /** The scripts and how often each has answered: the only thing here that answering changes. */
  readonly scripts: ScriptBook;
  readonly profile: ChatProfile;
  /** What a request gets that no script matches. */
  readonly unmatched: "echo" | "error";
  /** The keys that are accepted; an empty list accepts any, null asks for none. */
  readonly apiKeys: readonly string[] | null;
  readonly cors: boolean;
  /** Paths of the service that chat does not answer, such as `/rest/{table}`: a 404 names them too. */
  readonly otherPaths?: readonly string[];
  /** Where the service is mounted, without a slash at the end; the root is empty. Default: the root. */
  readonly basePaths?: readonly string[];
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Whether `now` is always the same moment, so that no limit fills up again. */
  readonly clockStands?: boolean;
  /** Numbers from 0 up to but not including 1. */
  readonly random: () => number;
  readonly createId: (prefix: string) => string;
  /** Every wait is divided by it; 0 means no waiting. */
  readonly speed: number;
  /** How fast a stream comes whose reply has neither a pace of its own nor chunks. */
  readonly pace?: Pace | undefined;
  /** What tokens are counted by. */
  readonly tokenizer: TokenizerName;
  /** How much may be asked for in a minute, and how much was; undefined: any amount. */
  readonly limiter?: RateLimiter | undefined;
  readonly templates: Templates;
  /** What templates see besides the request, such as `tables`. */
  readonly templateScope: () => Readonly<Record<string, unknown>>;
}
