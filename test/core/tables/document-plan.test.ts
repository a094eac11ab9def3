import { expect, test } from "vitest";
import { planRead } from "../../../src/core/tables/document/query-parameters.ts";
import { table } from "../../support/tables.ts";

const { schema } = table("users", ["id INTEGER", "name TEXT"]);

test("looks at a filter once that is repeated to the letter", () => {
  const filter = { name: "name.ne", value: "x" };
  const others = [
    { name: "name.ne", value: "y" },
    { name: "name.like", value: "x" },
  ];
  const planned = planRead(schema, undefined, [filter, ...others, filter, filter]);
  expect(planned).toMatchObject({ ok: true, value: { where: { length: 3 } } });
});
