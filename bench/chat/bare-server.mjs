// The least that node:http needs for the same chat answers: the body is read and not looked at, the bytes are all there.
// Streams are played by one timer for all of them: as each has the same gap, the one that began first is due first.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const { status, headers, body, writes, gapMs } = JSON.parse(readFileSync(file, "utf8"));

const playing = [];
let first = 0;
let isSet = false;

function setAlarm() {
  if (isSet || first === playing.length) return;
  isSet = true;
  setTimeout(ring, Math.max(0, Math.ceil(playing[first].due - performance.now())));
}

function ring() {
  isSet = false;
  const now = performance.now();
  while (first < playing.length && playing[first].due <= now) {
    const stream = playing[first++];
    stream.response.write(writes[stream.next++]);
    stream.due += gapMs;
    if (stream.next < writes.length) playing.push(stream);
    else stream.response.end();
  }
  if (first > 65_536) {
    playing.splice(0, first);
    first = 0;
  }
  setAlarm();
}

function answer(response) {
  response.writeHead(status, headers);
  if (body !== undefined) {
    response.end(body);
    return;
  }
  response.write(writes[0]);
  playing.push({ response, next: 1, due: performance.now() + gapMs });
  setAlarm();
}

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part)).on("end", () => answer(response));
});
server.listen(Number(port), "127.0.0.1");
