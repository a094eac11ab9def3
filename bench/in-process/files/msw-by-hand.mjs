import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { pathOf, report, rows } from "./rows.mjs";

const byId = new Map(rows.map((row) => [String(row.id), row]));
const server = setupServer(
  http.get("http://backend.test/rest/items/:id", ({ params }) =>
    HttpResponse.json({ result: [byId.get(params.id)] }),
  ),
);
server.listen();
await report(async (index) => (await fetch(`http://backend.test${pathOf(index)}`)).json());
server.close();
