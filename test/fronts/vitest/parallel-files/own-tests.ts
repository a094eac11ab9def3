import { expect } from "vitest";
import { createTest } from "../../../../src/fronts/vitest/index.ts";
import { chat, storeUser } from "./ask.ts";
import { fixtures, settings } from "./fixtures.ts";

const numbers = Array.from({ length: 40 }, (_, index) => index);

/** The tests of one of several files that each have an emulator of their own. */
export function ownTests(file: string): void {
  const test = createTest({ fixtures, ...settings });

  test.for(numbers)(`are apart, ${file} %i`, async (number, { backlot }) => {
    const name = `${file} ${number}`;
    await storeUser(backlot, name);
    await backlot.chats.add({ name: "own", when: { user: "mine" }, reply: { content: name } });
    expect(await chat(backlot, "count")).toBe("one");
    expect(await chat(backlot, "mine")).toBe(name);
    expect(await chat(backlot, "count")).toBe("two");
    expect(backlot.tables.users.rows().map((row) => row.name)).toEqual(["Ada", name]);
    expect(backlot.journal).toHaveBeenAsked({ body: { name }, times: 1 });
    expect(backlot.journal).toHaveBeenAsked({ times: 4 });
  });
}
