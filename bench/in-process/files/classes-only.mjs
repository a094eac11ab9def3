// What a caller makes and reads: the same request and response, with nothing between them.
import { pathOf, report, rows } from "./rows.mjs";

const headers = { "content-type": "application/json" };
await report(async (index) => {
  const request = new Request(`http://localhost${pathOf(index)}`);
  const found = [...request.headers].length === 0 && rows[index % rows.length];
  return new Response(JSON.stringify({ result: [found] }), { status: 200, headers }).json();
});
