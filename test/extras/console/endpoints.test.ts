import { expect, test } from "vitest";
import type { ConsoleSetup } from "../../../src/extras/console/api/client.ts";
import { makesSenseFor, presets, ruleFor } from "../../../src/extras/console/faults/presets.ts";
import { curlOf } from "../../../src/extras/console/requests/curl.ts";
import { firstRequests } from "../../../src/extras/console/requests/first-requests.ts";
import { askControl, controlled } from "../../core/control/controlled.ts";

const { body } = await askControl("GET /console.json", controlled());
// The control API answers what the console reads.
const setup = body as ConsoleSetup;
const rows = setup.endpoints.find(({ path }) => path === "/rest/{table}/{key}");
const cut = presets.find(({ needsStream }) => needsStream);

test("tells who has asked nothing yet a line for each endpoint that needs no more", () => {
  const lines = firstRequests(setup).map((one) => curlOf(one, { root: "http://h", key: "k" }));
  expect(lines).toEqual([
    "curl -sN http://h/rest/users -H 'authorization: Bearer k'",
    `curl -sN http://h/v1/chat/completions -H 'authorization: Bearer k' -H 'content-type: application/json' --data-raw '{"model":"any","messages":[{"role":"user","content":"Hello!"}]}'`,
    "curl -sN http://h/v1/models -H 'authorization: Bearer k'",
  ]);
});

test("plans a fault for one endpoint, or for all that can meet it", () => {
  const [slow] = presets;
  expect(slow && ruleFor(slow, setup.endpoints)).toEqual(slow?.rule);
  expect(slow && ruleFor(slow, setup.endpoints, rows)).toEqual({
    interface: "tables",
    method: "GET",
    path: "/rest/",
    ...slow?.rule,
  });
});

test("plans a fault of streams only where there are any", () => {
  expect(cut && ruleFor(cut, setup.endpoints)).toEqual({ interface: "chat", ...cut?.rule });
  expect(cut && makesSenseFor(cut)).toBe(true);
  expect(cut && makesSenseFor(cut, rows)).toBe(false);
});
