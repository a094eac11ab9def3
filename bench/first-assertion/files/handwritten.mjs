import assert from "node:assert/strict";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";

const users = [{ id: 1, name: "Ada" }];
const message = { role: "assistant", content: "Hi." };
const server = setupServer(
  http.get("http://backend.test/rest/users/:id", ({ params }) =>
    HttpResponse.json({ result: users.filter(({ id }) => String(id) === params.id) }),
  ),
  http.post("http://backend.test/rest/users", async ({ request }) => {
    users.push(await request.json());
    return HttpResponse.json({ result: users.slice(-1) }, { status: 201 });
  }),
  http.post("http://backend.test/v1/chat/completions", () =>
    HttpResponse.json({ choices: [{ index: 0, message }] }),
  ),
);
server.listen();
const response = await fetch("http://backend.test/rest/users/1");
assert.deepEqual(await response.json(), { result: [{ id: 1, name: "Ada" }] });
server.close();
