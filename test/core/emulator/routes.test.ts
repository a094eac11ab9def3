import { expect, test } from "vitest";
import { findRoute, type Mounts, mountsOf } from "../../../src/core/emulator/routes.ts";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";

const settings = resolveSettings({ basePath: ["/api/v1", "/v1", "/"] }, {});

/** The interface of a path by its name, and what is left of the path. */
function found(path: string, mounts: Mounts = mountsOf(settings)): unknown {
  const { interface: one, ...route } = findRoute(path, mounts);
  return { interface: one.name, ...route };
}

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
])("finds the interface of %s", (path, which, below) => {
  expect(found(path)).toEqual({
    interface: which,
    path: below,
    known: true,
    pathInService: below,
  });
});

test.each([
  ["/", "/"],
  ["", ""],
  ["/v1", ""],
  ["/restaurant", "/restaurant"],
  ["/v1x/rest/users", "/v1x/rest/users"],
  ["/REST/users", "/REST/users"],
  ["/v1/v1/models", "/v1/models"],
  ["/chat", "/chat"],
  ["/api/rest/users", "/api/rest/users"],
])("knows no interface for %j, and asks a real service for %j", (path, pathInService) => {
  expect(found(path)).toEqual({ interface: "chat", path, known: false, pathInService });
});

test("takes a path of chat for one of the tables where it is below their mount point", () => {
  const inTables = mountsOf({ ...settings, tablesBasePaths: [""], basePaths: ["/rest"] });
  expect(found("/rest/models", inTables)).toMatchObject({ interface: "tables", path: "/models" });
});
