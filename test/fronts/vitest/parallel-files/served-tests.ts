import { beforeAll, expect, inject, vi } from "vitest";
import { connect } from "../../../../src/fronts/node/index.ts";
import { createTest } from "../../../../src/fronts/vitest/index.ts";
import { chat, storeUser } from "./ask.ts";
import type { fixtures } from "./fixtures.ts";

const files = ["one", "two", "three"];
const numbers = Array.from({ length: 40 }, (_, index) => index);

/** The tests of one of several files that share a server and run at the same time. */
export function servedTests(file: string): void {
  const url = process.env["BACKLOT_URL"] ?? inject("backlot");
  const test = createTest<typeof fixtures>({ url });

  beforeAll(async () => {
    const { fetch, journal } = connect(url);
    await fetch(`/rest/users?name=${file}`);
    // No test begins before all files are there, each in its own worker.
    const areHere = async (): Promise<void> => {
      const asked = (await journal.list()).map(({ query }) => query);
      expect(asked.toSorted()).toEqual(files.map((name) => `name=${name}`).toSorted());
    };
    await vi.waitFor(areHere, { timeout: 30_000 });
  });

  test.for(numbers)(`are apart, ${file} %i`, async (number, { backlot }) => {
    const name = `${file} ${number}`;
    await storeUser(backlot, name);
    await backlot.chats.add({ name: "own", when: { user: "mine" }, reply: { content: name } });
    expect(await chat(backlot, "count")).toBe("one");
    expect(await chat(backlot, "mine")).toBe(name);
    expect(await chat(backlot, "count")).toBe("two");
    const rows = await backlot.tables.users.rows();
    expect(rows.map((row) => row.name)).toEqual(["Ada", name]);
    const requests = await backlot.journal.list();
    expect(requests).toHaveBeenAsked({ body: { name }, times: 1 });
    expect(requests).toHaveBeenAsked({ times: 4 });
    expect(new Set(requests.map(({ session }) => session))).toEqual(new Set([backlot.id]));
    await backlot.tables.users.replaceRows([]);
    expect(await backlot.tables.users.rows()).toEqual([]);
  });
}
