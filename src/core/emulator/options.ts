/** How the emulator behaves. What is left out comes from the fixtures' config, else from the default named here. */
export interface EmulatorSettings {
  /** The whole number that ids, jitter and other random choices follow from. Default: another one each time. */
  readonly seed?: number;
  /** The time that replies tell, fixed: an ISO date, a Date or milliseconds of Unix time. Default: the real time. */
  readonly clock?: string | number | Date;
  /** Which observed or documented behaviour each interface reproduces. Default `document` for both. */
  readonly profiles?: {
    readonly tables?: "document" | "starbasedb";
    /** Another name of `tables`. */
    readonly rest?: "document" | "starbasedb";
    readonly chat?: "document" | "openai";
  };
  /** The token that guards the tables. Default `local-token`. */
  readonly token?: string;
  /** The keys that chat accepts. Default: any key that is not empty. */
  readonly apiKeys?: readonly string[];
  /** False: neither interface asks for a key. Default true. */
  readonly auth?: boolean;
  /** False: no CORS headers, and no answer to preflights. Default true. */
  readonly cors?: boolean;
  /** Where both interfaces are mounted. Default `["/", "/v1"]`. */
  readonly basePath?: string | readonly string[];
  /** Factor on the pace of replies: 2 is twice as fast, 0 does not wait at all. Default 1. */
  readonly speed?: number;
  /** True: a chat request that no script matches is an error instead of an echo. */
  readonly strict?: boolean;
  /** Milliseconds that every reply is held back; two numbers: evenly spread between them. Default 0. */
  readonly latency?: number | readonly [number, number];
  /** The largest request body, in bytes. Default 10 MB (10,000,000); a larger one is answered 413. */
  readonly bodyLimit?: number;
  /** What callers of the control API have to show, who then may come from beyond this machine. Default: nothing. */
  readonly controlToken?: string;
  /** How many sessions are kept; those go that were not used for the longest time. Default 1,000. */
  readonly maxSessions?: number;
  /** How many requests the journal of each session keeps, in at most 20 MB. Default 1,000; 0 keeps none. */
  readonly journalSize?: number;
  /**
   * Origins (`https://api.example.com`) that are the emulator's alone when msw intercepts requests: whatever
   * is asked of them is answered, unknown paths included. Elsewhere only the interfaces' own paths are.
   */
  readonly origins?: readonly string[];
}

/** The names of all settings. */
export const settingNames: readonly (keyof EmulatorSettings)[] = [
  "seed",
  "clock",
  "profiles",
  "token",
  "apiKeys",
  "auth",
  "cors",
  "basePath",
  "speed",
  "strict",
  "latency",
  "bodyLimit",
  "controlToken",
  "maxSessions",
  "journalSize",
  "origins",
];
