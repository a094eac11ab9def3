// The tests of a program, and its dev server.
import { describeContract } from "backlot/contract";
import plugin from "backlot/vite";
import { createTest } from "backlot/vitest";
import { defineConfig } from "vite";
import { expect } from "vitest";

export default defineConfig({ plugins: [plugin({ fixtures: "fixtures" })] });

const test = createTest({ fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } } });
test("a user has a name", ({ backlot: session }) => {
  const name: string | undefined = session.tables.users.get(1)?.name;
  expect(name).toBe("Ada");
  expect(session.journal).not.toHaveBeenAsked({ path: "/rest/users" });
});
export const contract: typeof describeContract = describeContract;
