import { expect, test } from "vitest";
import { contract } from "../support/contract.ts";
import { type RecordedCase, recordedGroups, recordedText } from "../support/recordings.ts";
import { isFetchable, replay, replayToken } from "../support/replay.ts";
import { SqlDump } from "../support/sql-dump.ts";

// What the real service answered, and what it has to answer here. See test/recorded/README.md.

const base = new SqlDump(recordedText("base.sql"));
const extra = new SqlDump(recordedText("base.sql") + recordedText("extra.sql"));

/** What SQLite has and dumps may not have here. Their cases cannot come out right. */
const unsupported: readonly (readonly [
  feature: string,
  isMet: (recorded: RecordedCase) => boolean,
])[] = [
  ["views", ({ steps }) => steps.some(({ path }) => path.startsWith("/rest/v_users"))],
  ["generated columns", ({ steps }) => steps.some(({ path }) => path.startsWith("/rest/gen"))],
  ["STRICT tables", ({ steps }) => steps.some(({ path }) => /^\/rest\/st\b/.test(path))],
  ["CHECK", ({ steps }) => JSON.stringify(steps).includes("CHECK constraint failed")],
];

function isSupported(recorded: RecordedCase): boolean {
  return !unsupported.some(([, isMet]) => isMet(recorded));
}

const settings = {
  profiles: { rest: "starbasedb" },
  token: replayToken,
  bodyLimit: 10_000_000,
} as const;

for (const [file, fixtures] of [
  ["observed.jsonl", base],
  ["observed-extra.jsonl", extra],
] as const) {
  for (const [group, cases] of recordedGroups(file)) {
    contract(`answers the recorded requests of ${group} as the service did`, async (transport) => {
      await using service = await transport.open(fixtures, settings);
      const supported = cases.filter(isSupported);
      const sendable = transport.name === "node" ? supported : supported.filter(isFetchable);
      expect(await replay(sendable, service, transport)).toEqual([]);
    });
  }
}

test("leaves out no more recordings than those of features that are not supported", () => {
  const cases = [...recordedGroups("observed-extra.jsonl").values()].flat();
  const all = [...[...recordedGroups("observed.jsonl").values()].flat(), ...cases];
  expect(all.length).toBe(1_760);
  expect(all.filter((recorded) => !isSupported(recorded)).length).toBe(18);
});
