import { expect, test } from "vitest";
import { contract } from "../support/contract.ts";
import { recordedGroups, recordedText } from "../support/recordings.ts";
import { isFetchable, isSupported, replay, replaySettings } from "../support/replay.ts";
import { SqlDump } from "../support/sql-dump.ts";

// What the real service answered, and what it has to answer here. See test/recorded/README.md.

const base = new SqlDump(recordedText("base.sql"));
const extra = new SqlDump(recordedText("base.sql") + recordedText("extra.sql"));

for (const [file, fixtures] of [
  ["observed.jsonl", base],
  ["observed-extra.jsonl", extra],
] as const) {
  for (const [group, cases] of recordedGroups(file)) {
    contract(`answers the recorded requests of ${group} as the service did`, async (transport) => {
      await using service = await transport.open(fixtures, replaySettings);
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
