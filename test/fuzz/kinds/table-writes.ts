import { FuzzEmulator } from "../fuzz-emulator.ts";
import type { FuzzKind, Problem } from "../fuzz-kind.ts";
import { type Answer, chatProblem, type TablesProfile, tablesProblem } from "../envelopes.ts";
import { anyJson, anyKey, escapedText, jsonText, objectOf, oddText } from "../odd-values.ts";
import type { Random } from "../random.ts";
import type { SentCall } from "../sent-call.ts";
import { columnNames, systemColumns, systemNames, tableNames } from "../table-names.ts";

interface SentWrite {
  readonly profile: TablesProfile;
  readonly call: SentCall;
}

const methods = ["POST", "PUT", "PATCH", "DELETE"] as const;
const otherMethods = ["GET", "HEAD", "OPTIONS", "PURGE", "post", "__proto__", "", "MKCOL"] as const;
const keys = [
  "1",
  "2",
  "3",
  "10",
  "x,1",
  "x%2Cy,2",
  "a%2Fb",
  "a b",
  "100%25",
  "-1",
  "01",
  "1.0",
  "null",
  "9223372036854775807",
];
const largeNumbers = [
  "9007199254740993",
  "-9223372036854775808",
  "0.1000000000000000055511151231257827",
  "1e400",
  "123456789012345678901234567890",
] as const;
const types = [
  "application/json",
  "application/json",
  "application/json; charset=utf-8",
  "text/plain",
  "",
  "a/b+json",
  ";",
  "application/JSON ;x",
  "multipart/form-data; boundary=x",
];

/** Writes to the tables: paths, keys and bodies, under both profiles. */
export const tableWrites: FuzzKind<SentWrite> = {
  name: "write",
  make: (random) => ({ profile: random.pick(["document", "starbasedb"]), call: callFor(random) }),
  open: async () => {
    const emulators = {
      document: await FuzzEmulator.open(),
      starbasedb: await FuzzEmulator.open({ profiles: { tables: "starbasedb" } }),
    };
    return {
      try: ({ profile, call }) => {
        const { core } = emulators[profile].emulator;
        const isChats = core.route(call.path).interface.name === "chat";
        const judge = (answer: Answer): Problem => {
          const problem = tablesProblem(profile, answer);
          return problem !== undefined && isChats ? chatProblem(answer) : problem;
        };
        return emulators[profile].ask(call, judge);
      },
      check: async () => (await emulators.document.check()) ?? (await emulators.starbasedb.check()),
      close: () => Promise.resolve(),
    };
  },
};

function callFor(random: Random): SentCall {
  const method = random.chance(0.93) ? random.pick(methods) : random.pick(otherMethods);
  const fate = random.weighted<Pick<SentCall, "fate">>([
    [40, {}],
    [1, { fate: "aborted" }],
    [1, { fate: "too-large" }],
  ]);
  return {
    method,
    path: pathFor(random, method),
    query: random.chance(0.96) ? "" : escapedText(random, oddText(random)),
    headers: headersFor(random),
    body: bodyFor(random),
    ...fate,
  };
}

function headersFor(random: Random): Readonly<Record<string, string>> {
  const token = random.chance(0.98)
    ? "Bearer local-token"
    : random.pick(["", "Bearer", "bearer local-token", "Bearer \u00ff"]);
  return {
    authorization: token,
    ...(random.chance(0.7) ? { "content-type": random.pick(types) } : {}),
    ...(random.chance(0.03) ? { "x-backlot-session": oddText(random) } : {}),
    ...(random.chance(0.03)
      ? { origin: "http://a.example", "access-control-request-method": "PUT" }
      : {}),
  };
}

function pathFor(random: Random, method: string): string {
  if (random.chance(0.03))
    return `/${random.list(random.int(0, 4), () => escapedText(random, oddText(random))).join("/")}`;
  const table = random.chance(0.93)
    ? random.pick(random.chance(0.96) ? tableNames : systemNames)
    : escapedText(random, oddText(random));
  const key = random.chance(0.8) ? random.pick(keys) : escapedText(random, oddText(random));
  const wantsKey = method === "POST" ? random.chance(0.05) : random.chance(0.93);
  const prefix = random.chance(0.95)
    ? "/rest"
    : random.pick(["/v1/rest", "/@a/rest", "/@%00/v1/rest", "/rest/", "/REST", "/%72est"]);
  const rest = random.chance(0.02) ? random.pick(["/", "//", "/more", "/.."]) : "";
  return `${prefix}/${table}${wantsKey ? `/${key}` : ""}${rest}`;
}

function bodyFor(random: Random): string {
  if (random.chance(0.02))
    return `latin1:${random.list(random.int(0, 20), () => String.fromCharCode(random.int(0, 255))).join("")}`;
  if (random.chance(0.05)) return oddText(random);
  if (random.chance(0.06)) return jsonText(random, anyJson(random, columnNames));
  const known = random.chance(0.96) ? columnNames : systemColumns;
  const names = random.list(random.int(0, 5), () => anyKey(random, known));
  const text = jsonText(random, objectOf(names.map((name) => [name, cellFor(random, name)])));
  if (random.chance(0.97)) return text;
  // What JSON.parse makes another number of.
  return text.replaceAll(/(?<=":)\d+/g, () => random.pick(largeNumbers));
}

function cellFor(random: Random, name: string): unknown {
  if (random.chance(0.3)) return anyJson(random, columnNames, 2);
  if (["id", "age", "user", "b", "total", "score"].includes(name))
    return random.pick([1, 2, 3, 7, 10, 11, 20, null, "5"]);
  return random.pick(["x", "Ada", "a@example.com", "b", "2020-01-01", true, null, 5, ["t"]]);
}
