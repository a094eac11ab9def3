import type { TransportName } from "./transports.ts";

/** What no service worker can do. */
const gapsOfWorkers: readonly string[] = [
  // A page's fetch does not send the headers of a preflight, and the worker sees none of its own.
  ...[
    "POST /rest/users",
    "PATCH /rest/users/1",
    "DELETE /rest/unknown/1",
    "POST /v1/chat/completions",
    "GET /v1/models",
    "GET /v1/models/atlas",
    "DELETE /v1/models/atlas",
    "PUT /v1/unknown",
  ].map((line) => `answers a preflight for ${line} without a key`),
  // Nothing in a worker tells of a client that leaves before the head of its answer.
  "never answers a stream request that hangs, until its client goes",
  "never answers a JSON request that hangs, until its client goes",
  "rejects a request that is aborted while its answer is held back",
  "a connection that hangs by plan is never answered, and nothing is written",
  "a client that leaves during a delay is told of",
];

/** Titles of contract scenarios that a transport is known to fail. Each turns red when it begins to pass. */
export const knownGaps: Readonly<Record<TransportName, readonly string[]>> = {
  direct: [],
  node: [],
  msw: [],
  "browser msw worker": gapsOfWorkers,
  "browser own worker": gapsOfWorkers,
};
