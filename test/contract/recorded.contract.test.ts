import { expect, test } from "vitest";
import { contract, ofTheEmulator } from "../support/contract.ts";
import { recordedGroups, recordedText } from "../support/recordings.ts";
import { isFetchable, isSupported, replay, replaySettings } from "../support/replay.ts";
import { SqlDump } from "../support/sql-dump.ts";
import type { Transport } from "../support/transports.ts";
import { isLong } from "../support/tries.ts";

// What the real service answered, and what it has to answer here. See test/recorded/README.md.

const base = new SqlDump(recordedText("base.sql"));
const extra = new SqlDump(recordedText("base.sql") + recordedText("extra.sql"));

// The answers are of the emulator, and transports differ in few of them: `npm test` replays all over one, `npm run check`
// over the others.
const without = isLong ? ["node" as const] : ["direct" as const, "msw" as const];
const over = { without: [...without, ...ofTheEmulator.without] };

for (const [file, fixtures] of [
  ["observed.jsonl.gz", base],
  ["observed-extra.jsonl.gz", extra],
] as const) {
  for (const [group, cases] of recordedGroups(file)) {
    const title = `answers the recorded requests of ${group} as the service did`;
    const answers = async (transport: Transport): Promise<void> => {
      await using service = await transport.open(fixtures, replaySettings);
      const supported = cases.filter(isSupported);
      const sendable = transport.name === "node" ? supported : supported.filter(isFetchable);
      expect(await replay(sendable, service, transport)).toEqual([]);
    };
    contract(title, answers, over);
  }
}

test("leaves out no more recordings than those of features that are not supported", () => {
  const cases = [...recordedGroups("observed-extra.jsonl.gz").values()].flat();
  const all = [...[...recordedGroups("observed.jsonl.gz").values()].flat(), ...cases];
  expect(all.length).toBe(1_760);
  expect(all.filter((recorded) => !isSupported(recorded)).length).toBe(18);
});
