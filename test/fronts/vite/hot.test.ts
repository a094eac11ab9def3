import { join } from "node:path";
import { expect, test } from "vitest";
import { viteSite } from "../../support/vite-site.ts";

const users = "fixtures/tables/users.json";
const broken = '[\n  { "id": 1, "name": "Ada" },\n  { "id": 2 "name": "Grace" }\n]';

test("serves an edited fixture, and tells pages so without a reload", async () => {
  const { fetch, folder, hear } = await viteSite();
  const messages = await hear();
  await folder.replace(users, [{ id: 7, name: "Grace" }]);
  const heard = await messages.until("backlot:update");
  expect(heard).toContain('{"type":"custom","event":"backlot:update","data":{}}');
  expect(heard).not.toContain("full-reload");
  expect(await (await fetch("/rest/users")).json()).toEqual({ result: [{ id: 7, name: "Grace" }] });
});

test("keeps the old data while a fixture is broken, and shows where it is", async () => {
  const { fetch, folder, hear } = await viteSite();
  const messages = await hear();
  await folder.replace(users, broken);
  const heard = await messages.until('"loc"');
  const loc = JSON.stringify({ file: join(folder.path, users), line: 3, column: 13 });
  expect(heard).toContain(`"loc":${loc}`);
  expect(await (await fetch("/rest/users")).json()).toEqual({ result: [{ id: 1, name: "Ada" }] });
});

test("keeps the journal over a broken fixture, whose place the console learns, and its mending", async () => {
  const { fetch, folder, hear } = await viteSite();
  const messages = await hear();
  const asked = async (path: string): Promise<unknown> => (await fetch(`/__backlot${path}`)).json();
  await fetch("/rest/users");
  await folder.replace(users, broken);
  await messages.until('"loc"');
  expect(await asked("/console.json")).toMatchObject({
    fixtureProblem: { file: users, line: 3, column: 13 },
  });
  await folder.replace(users, [{ id: 7, name: "Grace" }]);
  await messages.until("backlot:update");
  expect(await asked("/console.json")).toMatchObject({ fixtureProblem: null });
  expect(await asked("/requests")).toMatchObject({
    reloads: [{ after: "1" }],
    requests: [{ id: "1", path: "/rest/users" }],
  });
});

test("shows a broken fixture to a page that is opened later, and clears it when it is mended", async () => {
  const { folder, hear } = await viteSite();
  const early = await hear();
  await folder.replace(users, broken);
  await early.until('"type":"error"');
  const late = await hear();
  await late.until('"type":"error"');
  const before = late.text.length;
  await folder.replace(users, [{ id: 7, name: "Grace" }]);
  await late.until("backlot:update");
  expect(late.text.slice(before)).toContain('{"type":"update","updates":[]}');
});

test("sends the new document to pages that hold the emulator", async () => {
  const { folder, hear } = await viteSite({ mode: "msw" });
  const messages = await hear();
  await folder.replace(users, [{ id: 7, name: "Grace" }]);
  const heard = await messages.until("backlot:update");
  expect(heard).toContain('"rows":[{"id":7,"name":"Grace"}]');
});
