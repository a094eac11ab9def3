import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

const brew = "BREW /rest/users HTTP/1.1\r\nHost: localhost\r\n\r\n";

test("refuses a method that node:http does not know", async () => {
  await using served = await serve({});
  using connection = await served.connect();
  connection.send(brew);
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json\r\n/);
});

test("refuses it in the observed service's words where that is the profile", async () => {
  await using served = await serve({}, { profiles: { tables: "starbasedb" } });
  using connection = await served.connect();
  connection.send(brew);
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\ncontent-type: text\/plain\r\n/);
  expect(text).toMatch(/\r\n\r\nERROR: Unrecognized request method\.$/);
});
