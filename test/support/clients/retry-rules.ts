import { isOpenai6 } from "./openai.ts";

/** The clients, each with its own way to try again. */
export type RetryingClient = "openai" | "ai-sdk" | "langchain";

/** How long a client waits before a retry: from, to, in milliseconds. */
export type Wait = readonly [least: number, most: number];

/** Waits before each retry; none when the client gives up at once. */
type Waits = readonly Wait[];

/** What a first answer makes each client do, which may try two more times. */
export interface RetryRule {
  readonly what: string;
  /** The reply to the first two tries. */
  readonly reply: object;
  readonly waits: Readonly<Record<RetryingClient, Waits>>;
}

/** What each client does when nobody tells it how long to wait. */
const usual = {
  openai: [
    [375, 500],
    [750, 1000],
  ],
  "ai-sdk": [
    [2000, 2000],
    [4000, 4000],
  ],
  langchain: [
    [1000, 2000],
    [2000, 4000],
  ],
} as const satisfies Record<RetryingClient, Waits>;

function twice(least: number, most = least): Waits {
  return [
    [least, most],
    [least, most],
  ];
}

function refused(status: number, more: object = {}): object {
  return { error: { status, message: "Not now.", ...more } };
}

/** It takes a 429 for one that lasts unless told of an end within a minute. */
const lasting = { ...usual, langchain: [] };

const never: RetryRule["waits"] = { openai: [], "ai-sdk": [], langchain: [] };

function httpDate(inSeconds: number): string {
  return new Date(Date.now() + inSeconds * 1000).toUTCString();
}

export const retryRules: readonly RetryRule[] = [
  ...[408, 500, 502, 503].map((status) => ({
    what: `a ${status}`,
    reply: refused(status),
    waits: usual,
  })),
  { what: "a 429", reply: refused(429), waits: lasting },
  { what: "a 409", reply: refused(409), waits: { ...usual, langchain: [] } },
  { what: "a 422", reply: refused(422), waits: { ...never, langchain: usual.langchain } },
  ...[400, 401, 403, 404, 413].map((status) => ({
    what: `a ${status}`,
    reply: refused(status),
    waits: never,
  })),
  {
    what: "a connection that breaks before the headers",
    reply: { content: "x", fault: { kind: "reset" } },
    waits: usual,
  },
  {
    what: "a 400 with x-should-retry: true",
    reply: { ...refused(400), headers: { "x-should-retry": "true" } },
    waits: { ...never, openai: usual.openai },
  },
  {
    what: "a 500 with x-should-retry: false",
    reply: { ...refused(500), headers: { "x-should-retry": "false" } },
    waits: { ...usual, openai: [] },
  },
  {
    what: "a 429 with retryAfterMs",
    reply: refused(429, { retryAfterMs: 200 }),
    // The last one knows whole seconds only, and takes them as the least.
    waits: { openai: twice(200), "ai-sdk": twice(200), langchain: usual.langchain },
  },
  {
    what: "a 429 with retry-after in seconds",
    reply: { ...refused(429), headers: { "retry-after": "30" } },
    waits: { openai: twice(30_000), "ai-sdk": twice(30_000), langchain: twice(30_000) },
  },
  {
    what: "a 429 with retry-after as a date",
    reply: { ...refused(429), headers: { "retry-after": httpDate(55) } },
    waits: {
      openai: twice(10_000, 55_000),
      "ai-sdk": twice(10_000, 55_000),
      langchain: twice(10_000, 55_000),
    },
  },
  {
    what: "a 429 with retry-after of more than a minute",
    reply: { ...refused(429), headers: { "retry-after": "90" } },
    waits: { ...lasting, openai: isOpenai6 ? twice(90_000) : usual.openai },
  },
  {
    what: "a used-up quota",
    reply: refused(429, { type: "insufficient_quota", code: "insufficient_quota" }),
    waits: { ...usual, langchain: [] },
  },
];
