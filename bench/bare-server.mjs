// What every start-up is compared with: the least that node:http needs to give the same answer.
import { createServer } from "node:http";

const body = JSON.stringify({ result: [{ id: 1 }] });
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ event: "ready", url: `http://127.0.0.1:${server.address().port}` }));
});
