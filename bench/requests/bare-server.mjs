// The least that node:http needs for the same answers: they are all there, by method and path. Bodies are read to
// their end, and nothing looks at them.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const answers = new Map(JSON.parse(readFileSync(file, "utf8")));
const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const { status, headers, body } = answers.get(`${request.method} ${request.url}`);
  const answer = () => {
    response.writeHead(status, headers);
    response.end(body);
  };
  if (request.method === "GET") answer();
  else request.on("data", () => {}).on("end", answer);
});
server.listen(Number(port), "127.0.0.1");
