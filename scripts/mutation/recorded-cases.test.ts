/** What the real service answered, case by case in this process. `npm test` asks the same over each transport. */
import { expect, test } from "vitest";
import { createEmulator } from "../../src/index.ts";
import { recordedGroups, recordedText } from "../../test/support/recordings.ts";
import { isFetchable, isSupported, misfitOf, replaySettings } from "../../test/support/replay.ts";
import { SqlDump } from "../../test/support/sql-dump.ts";

const base = recordedText("base.sql");

for (const [file, dump] of [
  ["observed.jsonl", base],
  ["observed-extra.jsonl", base + recordedText("extra.sql")],
] as const) {
  const fixtures = await new SqlDump(dump).read();
  const emulator = await createEmulator({ ...replaySettings, fixtures });
  for (const recorded of [...recordedGroups(file).values()].flat()) {
    if (!isSupported(recorded) || !isFetchable(recorded)) continue;
    test(`answers ${recorded.id} as the service did`, async () => {
      emulator.reset();
      expect(await misfitOf(recorded, (path, init) => emulator.fetch(path, init))).toBe(undefined);
    });
  }
}
