// The least that node:http needs for the same answers: they are all there, by path, and nothing is looked at.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const answers = new Map(JSON.parse(readFileSync(file, "utf8")));
const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const { status, headers, body } = answers.get(request.url);
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(Number(port), "127.0.0.1");
