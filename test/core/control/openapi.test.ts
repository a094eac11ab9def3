import { expect, test } from "vitest";
import { version } from "../../../src/core/emulator/version.ts";
import { controlErrors } from "../../../src/core/control/errors.ts";
import { errorsOf } from "../../../src/core/control/openapi/document.ts";
import { routes } from "../../../src/core/control/routes.ts";
import { askControl, controlled, type ControlledOptions } from "./controlled.ts";
import { type ApiDocument, operationsOf, readApiDocument } from "./api-document.ts";

async function documentOf(options: ControlledOptions = {}): Promise<ApiDocument> {
  return readApiDocument(await askControl("GET /openapi.json", controlled(options)));
}

const profiles = [
  { tables: "document", chat: "document" },
  { tables: "starbasedb", chat: "openai" },
] as const;

/** Every value of a key, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === key ? [part] : []),
    ...valuesOf(part, key),
  ]);
}

test("describes every route of the control API, and no other", async () => {
  const { paths } = await documentOf();
  const described = operationsOf(paths)
    .filter(({ path }) => path.startsWith("/__backlot"))
    .map(({ method, path }) => `${method} ${path}`);
  const known = routes.map(({ method, path }) => `${method} /__backlot${path === "/" ? "" : path}`);
  expect(described.toSorted()).toEqual(known.toSorted());
});

test.each(profiles)("describes operations completely under the profiles %j", async (names) => {
  const { paths } = await documentOf({ settings: { profiles: names } });
  const operations = operationsOf(paths);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation, parameters } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath.map(({ name }) => name)).toEqual(braces);
    expect(operation.summary).not.toBe("");
    expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
    for (const response of Object.values(operation.responses)) {
      expect(response.description).toMatch(/\.$/);
    }
  }
});

test.each(profiles)("refers only to what it has under the profiles %j", async (names) => {
  const document = await documentOf({ settings: { profiles: names } });
  const { components } = document;
  const known = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const references = valuesOf(document, "$ref");
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((reference) => !known.includes(String(reference)))).toEqual([]);
});

test("says where the interfaces are mounted, in the session that is asked", async () => {
  const settings = { basePath: ["/", "/api/v1"], profiles: { tables: "starbasedb" } } as const;
  const { paths } = await documentOf({ session: "a b", settings });
  const serversOf = (path: string): unknown => paths[path]?.servers?.map(({ url }) => url);
  expect(serversOf("/rest/users")).toEqual(["/@a%20b/api/v1", "/@a%20b"]);
  expect(serversOf("/chat/completions")).toEqual(["/@a%20b/api/v1", "/@a%20b"]);
});

test("is that of the root where no session is asked", async () => {
  const { servers, paths } = await documentOf();
  expect(servers).toEqual([{ url: "/" }]);
  expect(paths["/models"]?.servers).toEqual([{ url: "/v1" }, { url: "/" }]);
});

test("says who asks for which key", async () => {
  const open = await documentOf({ settings: { auth: false } });
  const guarded = await askControl(
    "GET /openapi.json",
    controlled({ settings: { controlToken: "open-sesame" } }),
    { headers: { authorization: "Bearer open-sesame" } },
  );
  expect(open.paths["/models"]?.get?.security).toEqual([]);
  const { paths } = readApiDocument(guarded);
  expect(paths["/models"]?.get?.security).toEqual([{ apiKey: [] }]);
  expect(paths["/rest/users"]?.get?.security).toEqual([{ tablesToken: [] }]);
  expect(paths["/__backlot/state"]?.get?.security).toEqual([{ controlToken: [] }]);
  expect(paths["/__backlot/health"]?.get?.security).toEqual([]);
  expect(JSON.stringify(guarded.body)).not.toContain("sesame");
});

test("has the version of the package and names the profiles", async () => {
  const { info, openapi } = await documentOf();
  expect(openapi).toBe("3.1.0");
  expect(info.version).toBe(version);
  expect(info.description).toContain("`document`");
});

test("names each error of the table in some route, but those of unknown routes", () => {
  const named = new Set(routes.flatMap(errorsOf));
  const unnamed = Object.keys(controlErrors).filter((code) => ![...named].some((c) => c === code));
  expect(unnamed).toEqual(["unknown_path", "method_not_allowed"]);
});
