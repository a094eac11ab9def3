// The service that is recorded: streams of events, each written by itself, as fast as they are taken, or with `gaps`
// (milliseconds, over and over) between them.
import { createServer } from "node:http";

const [port] = process.argv.slice(2);

/** An event of the size that chat completions have. */
const event = `data: ${JSON.stringify({
  id: "chatcmpl-0123456789abcdefghijklmn",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "bench",
  choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }],
})}\n\n`;

createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { events, gaps } = JSON.parse(body);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (gaps === undefined) writeAtOnce(response, events);
    else writeSlowly(response, { events, gaps });
  });
}).listen(Number(port), "127.0.0.1");

function writeAtOnce(response, events) {
  let left = events;
  const write = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(event)) return;
    }
    response.end();
  };
  response.on("drain", write);
  write();
}

function writeSlowly(response, { events, gaps }) {
  let sent = 0;
  const write = () => {
    response.write(event);
    sent += 1;
    if (sent === events) response.end();
    else setTimeout(write, gaps[sent % gaps.length]);
  };
  write();
}
