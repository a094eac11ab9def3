// Opens streams in each of some sessions, says so, and reads what comes: `node hanging-client.mjs <url> <count> <session…>`
import { request } from "node:http";

const [url, count, ...sessions] = process.argv.slice(2);
const body = JSON.stringify({
  model: "any",
  stream: true,
  messages: [{ role: "user", content: "hello" }],
});
const headers = {
  authorization: "Bearer any",
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
};

function openStream(session) {
  return new Promise((resolve, reject) => {
    const target = `${url}/@${session}/v1/chat/completions`;
    const call = request(target, { method: "POST", agent: false, headers }, (reply) => {
      reply.on("error", () => undefined).once("data", resolve);
    });
    call.on("error", reject).end(body);
  });
}

for (const session of sessions) {
  for (let at = 0; at < Number(count); at++) await openStream(session);
}
process.stdout.write("open\n");
