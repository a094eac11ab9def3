import { expect, test } from "vitest";
import type { Extras } from "../../src/core/emulator/extras.ts";
import { documentProfile, tablesProfileNames } from "../../src/core/tables/profiles.ts";
import { nodeExtras } from "../../src/fronts/node/extras.ts";
import { workerExtras } from "../../src/fronts/page/extras.ts";
import { contractExtras } from "../../src/fronts/vitest/extras.ts";
import { createEmulator } from "../../src/index.ts";

const fronts: Readonly<Record<string, Extras>> = {
  "fronts/node/extras.ts": nodeExtras,
  "fronts/page/extras.ts": workerExtras,
  "fronts/vitest/extras.ts": contractExtras,
};

test.each(Object.entries(fronts))("%s registers every profile of tables", (_, extras) => {
  const names = [documentProfile, ...(extras.tableProfiles ?? [])].map(({ name }) => name);
  expect(names.toSorted()).toEqual([...tablesProfileNames].toSorted());
});

test.each(tablesProfileNames)("index.ts registers the profile %s of tables", async (tables) => {
  const emulator = await createEmulator({ fixtures: {}, profiles: { tables } });
  const health = await emulator.fetch("/__backlot/health");
  expect(health.status).toBe(200);
});
