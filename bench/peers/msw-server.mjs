// Handlers of msw with a collection of @msw/data, on a port by @mswjs/http-middleware: msw has no server of its own.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Collection } from "@msw/data";
import { createServer } from "@mswjs/http-middleware";
import { http, HttpResponse } from "msw";

const [port, file] = process.argv.slice(2);
const { items: rows, chats } = JSON.parse(readFileSync(file, "utf8"));

// A schema that takes everything: no time goes into checking.
const anything = {
  "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) },
};
const items = new Collection({ schema: anything });
for (const row of rows) await items.create(row);

// It would page before it sorts.
const pageOf = (where, number) =>
  items
    .findMany((query) => query.where(where), { orderBy: { price: "asc" } })
    .slice((number - 1) * 10, number * 10);

const find = ({ request }) => {
  const asked = new URL(request.url).searchParams;
  const category = asked.get("category");
  if (category !== null) return HttpResponse.json(pageOf({ category }, 1));
  const [from, to, page] = ["from", "to", "page"].map((name) => Number(asked.get(name)));
  return HttpResponse.json(pageOf({ price: (price) => price >= from && price <= to }, page));
};

let lastId = rows.length;
const add = async ({ request }) => {
  const row = await items.create({ id: ++lastId, ...(await request.json()) });
  return HttpResponse.json(row, { status: 201 });
};

const fields = { id: "chatcmpl-1", created: 1, model: "atlas-large" };

function streamOf({ content, gapMs, chunkLength }) {
  const encoder = new TextEncoder();
  const event = (delta, finish_reason = null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { ...fields, object: "chat.completion.chunk", choices };
    return encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(event({ role: "assistant", content: "" }));
      for (let place = 0; place < content.length; place += chunkLength) {
        if (place > 0) await setTimeout(gapMs);
        controller.enqueue(event({ content: content.slice(place, place + chunkLength) }));
      }
      controller.enqueue(event({}, "stop"));
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
      controller.close();
    },
  });
}

const chat = async ({ request }) => {
  const { messages, stream } = await request.json();
  const reply = chats.find(({ user }) => user === messages.at(-1).content);
  if (stream) {
    return new HttpResponse(streamOf(reply), { headers: { "content-type": "text/event-stream" } });
  }
  const message = { role: "assistant", content: reply.content };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 };
  return HttpResponse.json({ ...fields, object: "chat.completion", choices, usage });
};

createServer(
  http.get("/items/:id", ({ params }) =>
    HttpResponse.json(items.findFirst((query) => query.where({ id: Number(params.id) }))),
  ),
  http.get("/items", find),
  http.post("/items", add),
  http.post("/v1/chat/completions", chat),
).listen(Number(port), "127.0.0.1");
