import { type Answer, controlProblem } from "../envelopes.ts";
import { FuzzEmulator } from "../fuzz-emulator.ts";
import type { FuzzKind, Problem } from "../fuzz-kind.ts";
import {
  anyJson,
  changedJson,
  escapedText,
  jsonText,
  oddText,
  prototypeNames,
} from "../odd-values.ts";
import type { Random } from "../random.ts";
import type { SentCall } from "../sent-call.ts";
import { faultFor, rowsFor, scriptFor, stateFor } from "../random-control.ts";
import { tableNames } from "../table-names.ts";

type Body = (random: Random) => unknown;

const nothing: Body = () => undefined;
const formatKeys =
  "tables models chats state clock seed random matches keys limits faults cells rows columns primaryKey name when user " +
  "regex reply replies content chunks error status message times probability delayMs interface path method table fault " +
  "id scope from snapshot clock journal hang reset rest chat";
const keys = formatKeys.split(" ");

/** The routes, each with bodies that fit it. */
const routes: readonly (readonly [method: string, path: string, body: Body])[] = [
  ["GET", "/health", nothing],
  [
    "POST",
    "/reset",
    (random) => ({ scope: random.some(["tables", "chats", "journal", "faults"], 0.5) }),
  ],
  ["POST", "/reset", nothing],
  ["GET", "/state", nothing],
  ["PUT", "/state", stateFor],
  ["PUT", "/state", stateFor],
  ["GET", "/tables/{table}", nothing],
  ["PUT", "/tables/{table}", rowsFor],
  ["PUT", "/tables/{table}", (random) => ({ rows: rowsFor(random) })],
  ["GET", "/chats", nothing],
  ["POST", "/chats", scriptFor],
  ["POST", "/chats", scriptFor],
  ["DELETE", "/chats/{name}", nothing],
  ["GET", "/requests", nothing],
  ["GET", "/requests", nothing],
  ["GET", "/requests/live", nothing],
  ["GET", "/requests/search", nothing],
  ["GET", "/requests/{name}", nothing],
  ["DELETE", "/requests", nothing],
  ["GET", "/faults", nothing],
  ["POST", "/faults", faultFor],
  ["POST", "/faults", faultFor],
  ["DELETE", "/faults", nothing],
  ["DELETE", "/faults/{name}", nothing],
  ["GET", "/sessions", nothing],
  [
    "PUT",
    "/sessions/{name}",
    (random) => ({
      from: random.pick(["a", "base", "snap"]),
      seed: 1,
      clock: "2024-01-01T00:00:00Z",
    }),
  ],
  ["PUT", "/sessions/{name}", nothing],
  ["DELETE", "/sessions/{name}", nothing],
  ["GET", "/snapshots", nothing],
  ["PUT", "/snapshots/{name}", nothing],
  ["POST", "/snapshots/{name}/restore", nothing],
  ["DELETE", "/snapshots/{name}", nothing],
  ["GET", "/openapi.json", nothing],
  ["GET", "/", nothing],
  ["GET", "/console.json", nothing],
];

/** Calls of the control API, and requests that meet what they planned. */
export const controlCalls: FuzzKind<SentCall> = {
  name: "control",
  make: callFor,
  open: async () => {
    const emulator = await FuzzEmulator.open();
    return {
      try: (call) => tryCall(emulator, call),
      check: async () => {
        // Any table may have been replaced, and requests to come may have been planned to fail.
        emulator.emulator.reset();
        return emulator.check();
      },
      close: () => Promise.resolve(),
    };
  },
};

async function tryCall(emulator: FuzzEmulator, call: SentCall): Promise<Problem> {
  const changes = isControl(call) && call.method !== "GET" && call.method !== "HEAD";
  const before = changes ? await stateOf(emulator) : undefined;
  let status = 0;
  const problem = await emulator.ask(call, (answer: Answer) => {
    status = answer.status;
    return isControl(call) ? controlProblem(answer) : undefined;
  });
  if (problem !== undefined) return problem;
  if (status >= 400 && before !== undefined && before !== (await stateOf(emulator))) {
    return `it was refused with ${status}, and changed the state`;
  }
  return probe(emulator, call);
}

/** Whether it is the control API that answers. What else is asked may have been planned to fail. */
function isControl({ path }: SentCall): boolean {
  return /^(?:\/@[^/]+)?\/__backlot(?:\/|$)/.test(path);
}

async function stateOf({ emulator }: FuzzEmulator): Promise<string> {
  return (await emulator.fetch("/__backlot/state")).text();
}

const probeHeaders = { authorization: "Bearer local-token", "content-type": "application/json" };
const question = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "Hello" }] });

/** Asks the service itself what a script, a table or a fault of the call may have made of it. */
async function probe(emulator: FuzzEmulator, { body }: SentCall): Promise<Problem> {
  if (body === "") return undefined;
  const shared = { query: "", headers: probeHeaders };
  const read = { ...shared, method: "GET", path: "/rest/users", body: "" };
  const chat = { ...shared, method: "POST", path: "/v1/chat/completions", body: question };
  return (await emulator.ask(read, statusProblem)) ?? (await emulator.ask(chat, statusProblem));
}

function callFor(random: Random): SentCall {
  const [method, path, body] = random.pick(routes);
  const isOdd = random.chance(0.06);
  return {
    method: isOdd
      ? random.pick(["GET", "PUT", "POST", "PATCH", "OPTIONS", "HEAD", "", "constructor"])
      : method,
    path: `${random.chance(0.9) ? "" : random.pick(["/@a", "/@b", "/@%00", "/@", "/v1"])}/__backlot${pathFor(random, path)}`,
    query: queryFor(random, path),
    headers: headersFor(random),
    body: bodyFor(random, body),
    ...(random.chance(0.01) ? { fate: random.pick(["aborted", "too-large"]) } : {}),
  };
}

function pathFor(random: Random, path: string): string {
  if (random.chance(0.03)) return `/${escapedText(random, oddText(random))}`;
  const named = path
    .replace("{table}", () =>
      random.chance(0.9) ? random.pick(tableNames) : escapedText(random, oddText(random)),
    )
    .replace("{name}", () => nameFor(random));
  return random.chance(0.97) ? named : `${named}${random.pick(["/", "/x", "//", "%", "?"])}`;
}

function nameFor(random: Random): string {
  if (random.chance(0.6))
    return random.pick(["a", "b", "snap", "known", "regex", "fault%201", "fault%202", "tool"]);
  return random.chance(0.3) ? random.pick(prototypeNames) : escapedText(random, oddText(random));
}

function queryFor(random: Random, path: string): string {
  if (!path.startsWith("/requests") && random.chance(0.97)) return "";
  if (path === "/requests" && random.chance(0.2)) return "format=har";
  const names = [
    "interface",
    "method",
    "path",
    "status",
    "since",
    "limit",
    "format",
    "replay",
    "__proto__",
  ];
  const values = [
    "tables",
    "GET",
    "/",
    "200",
    "4xx",
    "1",
    "0",
    "har",
    "json",
    "2024-01-01T00:00:00Z",
    "true",
  ];
  const one = (): string =>
    `${random.pick(names)}=${random.chance(0.7) ? random.pick(values) : escapedText(random, oddText(random))}`;
  return random.list(random.int(0, 3), one).join("&");
}

function headersFor(random: Random): Readonly<Record<string, string>> {
  return {
    ...(random.chance(0.95) ? { "x-in-process": "1" } : {}),
    host: random.chance(0.95) ? "127.0.0.1:4010" : oddText(random),
    ...(random.chance(0.05)
      ? { origin: random.pick(["http://127.0.0.1:4010", "null", "https://evil.example"]) }
      : {}),
    ...(random.chance(0.9)
      ? { "content-type": "application/json" }
      : { "content-type": oddText(random) }),
    ...(random.chance(0.1)
      ? { "x-backlot-session": random.chance(0.7) ? random.pick(["a", "b"]) : oddText(random) }
      : {}),
    ...(random.chance(0.03) ? { "last-event-id": oddText(random) } : {}),
  };
}

function bodyFor(random: Random, make: Body): string {
  if (random.chance(0.02)) return oddText(random);
  let value = make(random);
  if (value === undefined)
    return random.chance(0.95) ? "" : jsonText(random, anyJson(random, keys));
  for (let changes = random.pick([0, 0, 1, 1, 2]); changes > 0; changes--)
    value = changedJson(random, value, keys);
  return jsonText(random, value);
}

/** What a script or a fault says is theirs to choose. */
function statusProblem({ status }: Answer): Problem {
  return status === 0 || (status >= 200 && status < 600) ? undefined : `status ${status}`;
}
