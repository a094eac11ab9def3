import { expect, test } from "vitest";
import { parseAddress } from "../../../src/core/emulator/routes.ts";

test.each([
  ["/rest/items/.5/../", "/rest/items/"],
  ["/a/.b/../c", "/a/c"],
  ["/a/.b/./c", "/a/.b/c"],
  ["/a/.b/c/../../d", "/a/d"],
  ["/a/.b/..", "/a/"],
  ["/a/.b/.", "/a/.b/"],
  ["/a/.b/../../../../c", "/c"],
  ["/a/..b/.c/...", "/a/..b/.c/..."],
  ["/a/.b/%2e%2E/c", "/a/c"],
  ["/.a/.b", "/.a/.b"],
  ["/a/.b?x=/../y", "/a/.b?x=/../y"],
  ["/a/.b#/../y", "/a/.b#/../y"],
])("resolves the dots of %s, also behind a name that begins with one", (path, expected) => {
  expect(parseAddress(`http://localhost${path}`).href).toBe(`http://localhost${expected}`);
});
