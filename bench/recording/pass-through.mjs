// A proxy of node:http that keeps nothing: what a process between client and service takes in any case.
import { Agent, createServer, request } from "node:http";

const [port, upstream] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((asked, response) => {
  const { method, url: path, headers } = asked;
  const passed = request(
    { host: "127.0.0.1", port: Number(upstream), method, path, headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  asked.pipe(passed);
}).listen(Number(port), "127.0.0.1");
