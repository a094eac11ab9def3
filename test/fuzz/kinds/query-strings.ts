import { FuzzEmulator } from "../fuzz-emulator.ts";
import type { FuzzKind } from "../fuzz-kind.ts";
import { type TablesProfile, tablesProblem } from "../envelopes.ts";
import { escapedText, oddText, prototypeNames } from "../odd-values.ts";
import type { Random } from "../random.ts";
import type { SentCall } from "../sent-call.ts";
import { columnNames, systemColumns, systemNames, tableNames } from "../table-names.ts";

interface SentQuery {
  readonly profile: TablesProfile;
  readonly call: SentCall;
}

const operators = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in", "IN", "foo", ""] as const;
const reserved = ["sort_by", "order", "limit", "offset"] as const;
const usual = [
  "5",
  "1,2,3",
  "ada",
  "%a%",
  "_%",
  "a_",
  "desc",
  "ASC",
  "id",
  "0",
  "-1",
  "true",
  "2020-01-01",
];
const headers = { authorization: "Bearer local-token" };

/** Query strings of reads, under both profiles of the tables. */
export const queryStrings: FuzzKind<SentQuery> = {
  name: "query",
  make: (random) => ({
    profile: random.pick(["document", "starbasedb"]),
    call: {
      method: random.chance(0.95) ? "GET" : "HEAD",
      path: `/rest/${tableFor(random)}${random.chance(0.1) ? `/${escapedText(random, oddText(random))}` : ""}`,
      query: queryOf(random),
      headers,
      body: "",
    },
  }),
  open: async () => {
    const emulators = {
      document: await FuzzEmulator.open(),
      starbasedb: await FuzzEmulator.open({ profiles: { tables: "starbasedb" } }),
    };
    return {
      try: ({ profile, call }) =>
        emulators[profile].ask(call, (answer) => tablesProblem(profile, answer)),
      check: async () => (await emulators.document.check()) ?? (await emulators.starbasedb.check()),
      close: () => Promise.resolve(),
    };
  },
};

function tableFor(random: Random): string {
  return random.pick(random.chance(0.97) ? tableNames : systemNames);
}

function queryOf(random: Random): string {
  if (random.chance(0.03)) return escapedText(random, oddText(random));
  const most = random.weighted([
    [20, 4],
    [2, 12],
    [0.2, 130],
  ]);
  const separator = random.chance(0.97) ? "&" : random.pick(["&&", ";", "?", "&amp;", "="]);
  return random.list(random.int(0, most), () => parameterOf(random)).join(separator);
}

function parameterOf(random: Random): string {
  const value = valueOf(random);
  if (random.chance(0.25)) return `${random.pick(reserved)}=${value}`;
  if (random.chance(0.03)) return random.chance(0.5) ? value : `=${value}`;
  const dot = random.chance(0.03) ? ".." : ".";
  const suffix = random.chance(0.6) ? dot + operatorOf(random) : "";
  return `${nameOf(random)}${suffix}=${value}`;
}

function nameOf(random: Random): string {
  return random.weighted<() => string>([
    [12, () => escapedText(random, random.pick(columnNames))],
    [1, () => random.pick(prototypeNames)],
    [1, () => random.pick(systemColumns)],
    [
      1,
      () =>
        random.pick([
          "CURRENT_TIME",
          "current_date",
          "false",
          "NULL",
          "rowid",
          "ID",
          "nAme",
          "1",
          "users.id",
          "oid",
          "*",
          "(id)",
          '"id"',
          "-1",
        ]),
    ],
    [1, () => escapedText(random, oddText(random))],
  ])();
}

function operatorOf(random: Random): string {
  if (random.chance(0.92)) return random.pick(operators);
  return random.chance(0.5) ? random.pick(prototypeNames) : escapedText(random, oddText(random));
}

function valueOf(random: Random): string {
  if (random.chance(0.5)) return escapedText(random, random.pick(usual));
  if (random.chance(0.1))
    return random
      .list(random.int(1, 120), () => escapedText(random, oddText(random)).slice(0, 8))
      .join(",");
  return escapedText(random, oddText(random));
}
