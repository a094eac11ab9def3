import { expect, test } from "vitest";
import { findRoute, type Mounts } from "../../../src/core/emulator/routes.ts";

const bases = ["/api/v1", "/v1", ""];
const mounts: Mounts = { tables: bases, chat: bases };

test.each([
  ["/rest", "tables", ""],
  ["/rest/", "tables", "/"],
  ["/rest/users/1", "tables", "/users/1"],
  ["/v1/rest/users", "tables", "/users"],
  ["/api/v1/rest/a%2Fb", "tables", "/a%2Fb"],
  ["/rest/rest/rest", "tables", "/rest/rest"],
  ["/models", "chat", "/models"],
  ["/v1/models/org%2Fx", "chat", "/models/org%2Fx"],
  ["/v1/chat/completions", "chat", "/chat/completions"],
  ["/v1/chat/completions/", "chat", "/chat/completions/"],
])("finds the interface of %s", (path, which, rest) => {
  expect(findRoute(path, mounts)).toEqual({
    interface: which,
    path: rest,
    known: true,
  });
});

test.each([
  "/",
  "",
  "/v1",
  "/restaurant",
  "/v1x/rest/users",
  "/REST/users",
  "/v1/v1/models",
  "/chat",
  "/api/rest/users",
])("knows no interface for %j", (path) => {
  expect(findRoute(path, mounts)).toEqual({
    interface: "chat",
    path,
    known: false,
  });
});

test("takes a path of chat for one of the tables where it is below their mount point", () => {
  const inTables: Mounts = { tables: [""], chat: ["/rest"] };
  expect(findRoute("/rest/models", inTables)).toMatchObject({
    interface: "tables",
    path: "/models",
  });
});
