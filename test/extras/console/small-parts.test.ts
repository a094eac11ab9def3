import { expect, test } from "vitest";
import { readFailure, baseOf, consolePath } from "../../../src/extras/console/api/client.ts";
import { hashOf, readRoute } from "../../../src/extras/console/parts/route.ts";
import { cellAfter } from "../../../src/extras/console/parts/grid.ts";

test.each([
  ["/__backlot/", ""],
  ["/__backlot", ""],
  ["/@test%207/__backlot/", "/@test%207"],
])("finds what %s has in front of the console", (path, base) => {
  expect(baseOf(path)).toBe(base);
});

test.each(["/__backlot/", "/@test-7/__backlot/"])("leads from %s to others", (here) => {
  expect(consolePath(undefined, here)).toBe("/__backlot/");
  expect(baseOf(consolePath("a/b c", here))).toBe("/@a%2Fb%20c");
});

test.each(["/app/__backlot/", "/app/@test-7/__backlot/"])("stays below a root at %s", (here) => {
  expect(consolePath(undefined, here)).toBe("/app/__backlot/");
  expect(consolePath("one", here)).toBe("/app/@one/__backlot/");
});

test.each([
  ['{"error":"No.","code":"x","hint":"Do y."}', { message: "No.", code: "x", hint: "Do y." }],
  ['{"error":{"message":"No.","code":null}}', { message: "No." }],
  ['{"error":{"code":"c","message":"No: p."}}', { message: "No: p.", code: "c" }],
  ["<h1>Bad</h1>", { message: "<h1>Bad</h1>" }],
  ["", { message: "Status 400." }],
])("reads the failure %s", (text, failure) => {
  expect(readFailure(400, text)).toEqual({ status: 400, ...failure });
});

test.each([
  ["", { view: "requests", name: undefined, state: {} }],
  ["#/tables/odd%2Fname", { view: "tables", name: "odd/name", state: {} }],
  ["#/tables/%", { view: "tables", name: "%", state: {} }],
  ["#/nothing", { view: "requests", name: undefined, state: {} }],
  ["#/chats?a=1%3F&b=", { view: "chats", name: undefined, state: { a: "1?", b: "" } }],
])("reads the hash %j", (hash, route) => {
  expect(readRoute(hash)).toEqual(route);
});

test("leads back to a table whatever its name and its filters", () => {
  const state = { "a=b": "?&#/%", "": "1+1" };
  const hash = hashOf("tables", "a/b?#", state);
  expect(readRoute(hash)).toEqual({ view: "tables", name: "a/b?#", state });
});

test.each([
  ["ArrowUp", { row: 0, column: 1 }],
  ["ArrowDown", { row: 1, column: 1 }],
  ["ArrowLeft", { row: 0, column: 0 }],
  ["ArrowRight", { row: 0, column: 2 }],
  ["End", { row: 0, column: 2 }],
  ["PageDown", { row: 3, column: 1 }],
  ["a", undefined],
])("the key %s leads to %j", (key, cell) => {
  const size = { rows: 4, columns: 3 };
  expect(cellAfter({ key, ctrlKey: false }, { row: 0, column: 1 }, size)).toEqual(cell);
});
