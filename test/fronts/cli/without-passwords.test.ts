import { expect, test } from "vitest";
import { readAddress } from "../../../src/extras/postgres/address.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { withoutPasswords } from "../../../src/fronts/cli/without-passwords.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const secret = "S3CRET";

/** Ways to write a password into the address of a database, right and wrong. */
const addresses = [
  `postgres://u:${secret}@127.0.0.1:1/db`,
  `postgresql://u:${secret}@127.0.0.1:1/db`,
  `postgres://u:12/${secret}@127.0.0.1:1/db`,
  `postgres://u:12?${secret}@127.0.0.1:1/db`,
  `postgres://u:12#${secret}@127.0.0.1:1/db`,
  `postgres://u:1@2${secret}@127.0.0.1:1/db`,
  `postgres://u:a b${secret}@127.0.0.1:1/db`,
  `postgres://u:${secret}%zz@127.0.0.1:1/db`,
  `postgres:/u:${secret}@127.0.0.1:1/db`,
  `postgres://127.0.0.1:1/db?user=u&password=${secret}`,
  `mysql://u:${secret}@127.0.0.1:1/db`,
];

test.each(addresses)(
  "no command shows the password of %s, wherever it is given",
  async (address) => {
    const { path: cwd } = await temporaryFolder({ "db.json": { tables: { a: [{ id: 1 }] } } });
    const commands = [
      ["check", address],
      ["start", address, "--port", "0"],
      ["start", "db.json", "--port", address],
      ["start", "db.json", "--host", address],
      ["start", "db.json", `--tabels=${address}`],
      ["start", "db.json", "--profile", address],
      ["start", "db.json", "--port", "0", "--tables", address],
      ["start", "db.json", "--port", "0", "--log", "json", "--tables", address],
      ["start", "db.json", "--watch", "--tables", address],
      [address],
    ];
    for (const args of commands) {
      const io = testIo({ cwd });
      expect([args, await run(args, io)]).not.toEqual([args, 0]);
      expect(io.err()).not.toBe("");
      expect(io.out() + io.err()).not.toContain(secret);
    }
  },
);

test("refuses an address whose password would be read as something else", () => {
  for (const address of addresses.slice(2, 5)) {
    expect(() => readAddress(address)).toThrow("write / as %2F");
  }
  expect(readAddress("postgres://u:12%2F3@localhost/db").shown).toBe("localhost/db");
});

test.each([
  "http://127.0.0.1:4010/@x1/rest/users",
  "write to a@b.test, see https://x.test/a@b",
  "such as postgres://user:password@localhost:5432/app. Write @ as %40",
  "file:///node_modules/@scope/name.js",
  "postgres://127.0.0.1:5432/db?schema=shop",
])("leaves %s as it is", (text) => {
  expect(withoutPasswords(text)).toBe(text);
});
