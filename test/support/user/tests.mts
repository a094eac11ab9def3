// The tests of a program, with vitest and msw, and its dev server.
import { createEmulator } from "backlot";
import { describeContract } from "backlot/contract";
import { handlers, refuseUnhandled } from "backlot/msw";
import plugin from "backlot/vite";
import { createTest } from "backlot/vitest";
import { setupServer } from "msw/node";
import { defineConfig } from "vite";
import { expect } from "vitest";

export default defineConfig({ plugins: [plugin({ fixtures: "fixtures" })] });

const test = createTest({ fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } } });
test("a user has a name", ({ backlot: session }) => {
  const name: string | undefined = session.tables.users.get(1)?.name;
  expect(name).toBe("Ada");
  expect(session.journal).not.toHaveBeenAsked({ path: "/rest/users" });
});
setupServer(...handlers(await createEmulator())).listen(refuseUnhandled);
export const contract: typeof describeContract = describeContract;
