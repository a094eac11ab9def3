import { Agent, request } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { ownerOf } from "../../../src/fronts/node/cluster/session-owner.ts";
import { sessionsOf, startCluster } from "./clustered.ts";

const workers = 3;
const ids = sessionsOf(workers, (id) => ownerOf(id, workers));

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function read(url: string): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await (await fetch(url)).text());
}

async function texts(url: string): Promise<readonly string[]> {
  const { result } = await read(`${url}/rest/notes`);
  return result.map(({ text }: { readonly text: string }) => text);
}

/** A completion that says so. */
function says(content: string): object {
  return { choices: [{ message: { content } }] };
}

function chat(url: string, content = "hello"): Promise<unknown> {
  return post(`${url}/v1/chat/completions`, {
    model: "any",
    messages: [{ role: "user", content }],
  });
}

async function journal(url: string, query = ""): Promise<readonly { readonly id: string }[]> {
  return (await read(`${url}/__backlot/requests?${query}`)).requests;
}

/** An answer over a connection that is kept open for the next. */
async function ask(agent: Agent, url: string, headers: Record<string, string>): Promise<unknown> {
  const asked = request(`${url}/rest/notes`, { agent, headers }).end();
  const [response] = await once(asked, "response");
  return json(response);
}

test.each(ids)("keeps %s in one worker, whichever is asked", async (id) => {
  const { urls, cores } = await startCluster(workers);
  for (const [at, url] of urls.entries()) await post(`${url}/@${id}/rest/notes`, { text: `${at}` });
  for (const url of urls) {
    expect(await texts(`${url}/@${id}`)).toEqual(["of the fixtures", "0", "1", "2"]);
  }
  const having = cores.map(({ sessions }) => sessions.has(id));
  expect(having).toEqual(ids.map((one) => one === id));
});

test("answers a connection that changes its session by the worker of each", async () => {
  const { urls } = await startCluster(workers);
  const [url = ""] = urls;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (const id of ids) await post(`${url}/@${id}/rest/notes`, { text: id });
  for (const id of [...ids, ...ids]) {
    const answer = await ask(agent, url, { "x-backlot-session": id });
    expect(answer).toMatchObject({ result: [{ text: "of the fixtures" }, { text: id }] });
  }
});

test("has one base session for all workers", async () => {
  const { urls } = await startCluster(workers);
  for (const [at, url] of urls.entries()) await post(`${url}/rest/notes`, { text: `${at}` });
  for (const url of urls) expect(await texts(url)).toEqual(["of the fixtures", "0", "1", "2"]);
});

test.each(ids)("begins %s as the base session is at that moment", async (id) => {
  const { urls } = await startCluster(workers);
  const [one = "", other = ""] = urls;
  await post(`${one}/rest/notes`, { text: "before" });
  expect(await texts(`${other}/@${id}`)).toEqual(["of the fixtures", "before"]);
  await post(`${one}/rest/notes`, { text: "after" });
  expect(await texts(`${other}/@${id}`)).toEqual(["of the fixtures", "before"]);
  await fetch(`${one}/__backlot/sessions/${id}`, { method: "PUT" });
  expect(await texts(`${other}/@${id}`)).toEqual(["of the fixtures", "before", "after"]);
  await fetch(`${one}/@${id}/__backlot/reset`, { method: "POST" });
  expect(await texts(`${other}/@${id}`)).toEqual(["of the fixtures"]);
});

test("has stateless chat of the base session answered by the worker that is asked", async () => {
  const { urls, cores } = await startCluster(workers);
  for (const url of urls) expect(await chat(url)).toMatchObject({ object: "chat.completion" });
  expect(cores.map(({ sessions }) => sessions.base.journal.count)).toEqual([1, 1, 1]);
});

test.each([
  ["counts", { chats: [{ times: 1, reply: { content: "Once." } }] }, {}],
  ["reads tables", { chats: [{ reply: { content: "{{ tables.notes.size }}" } }] }, {}],
  ["has a seed", {}, { seed: 1 }],
  [
    "has planned faults",
    { state: { faults: [{ id: "fault 1", status: 500, times: 2, left: 1 }] } },
    {},
  ],
])("has chat that %s answered by the first worker", async (_, fixtures, settings) => {
  const { urls, cores } = await startCluster(workers, { fixtures, settings });
  for (const url of urls) await chat(url);
  const counts = (): number[] => cores.map(({ sessions }) => sessions.base.journal.count);
  // Those of other workers learn a moment later that the client has its answer.
  await expect.poll(counts).toEqual([3, 0, 0]);
});

test("has each worker answer by a script that was added, until the reset", async () => {
  const { urls } = await startCluster(workers);
  const [, url = ""] = urls;
  await post(`${url}/__backlot/chats`, { name: "added", reply: { content: "Added." } });
  for (const each of urls) expect(await chat(each)).toMatchObject(says("Added."));
  await fetch(`${url}/__backlot/reset`, { method: "POST" });
  for (const each of urls) expect(await chat(each)).toMatchObject(says("Hi there."));
});

test("lists the requests of all workers in the order in which they ended", async () => {
  const { urls } = await startCluster(workers);
  for (const at of [2, 0, 1, 1]) await chat(urls[at] ?? "", `to ${at}`);
  const listed = await journal(urls[1] ?? "");
  const asked = listed.map((entry) => JSON.stringify(entry).match(/to \d/)?.[0]);
  expect(asked).toEqual(["to 2", "to 0", "to 1", "to 1"]);
  expect(listed.map(({ id }) => id)).toEqual(["0.0.1", "1.0.1", "1.1.1", "1.2.1"]);
});

test("goes on after any request of the joined journal", async () => {
  const { urls } = await startCluster(workers);
  const [url = ""] = urls;
  for (const at of [2, 0, 1, 1, 2]) await chat(urls[at] ?? "");
  const all = await journal(url);
  for (const [place, { id }] of all.entries()) {
    expect(await journal(url, `since=${id}`)).toEqual(all.slice(place + 1));
  }
  expect(await journal(url, `since=${all[0]?.id}&limit=2`)).toEqual(all.slice(1, 3));
});

test("tells live of the requests of all workers", async () => {
  const { urls } = await startCluster(workers);
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const live = await fetch(`${urls[2]}/__backlot/requests/live`, { signal: over.signal });
  for (const url of urls) await chat(url);
  let told = "";
  for await (const text of live.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    told += text;
    if (told.includes("id: 1.1.1\n")) break;
  }
  expect(told.match(/^event: request$/gm)).toHaveLength(3);
  expect(told).toContain('data: {"id":"1.1.1"');
});

test("lists the sessions of all workers, and forgets them wherever they are", async () => {
  const { urls } = await startCluster(workers);
  const [url = ""] = urls;
  for (const id of ids) await texts(`${url}/@${id}`);
  const list = async (): Promise<readonly string[]> => {
    const { sessions } = await read(`${urls[1]}/__backlot/sessions`);
    return sessions.map(({ id }: { readonly id: string }) => id);
  };
  expect((await list()).toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    const { status } = await fetch(`${url}/__backlot/sessions/${id}`, { method: "DELETE" });
    expect(status).toBe(204);
  }
  expect(await list()).toEqual([]);
});

test("knows of what was answered through another worker when the journal is read", async () => {
  const { urls } = await startCluster(workers);
  for (const id of ids) {
    for (const url of urls) await texts(`${url}/@${id}`);
    for (const url of urls) expect(await journal(`${url}/@${id}`)).toHaveLength(3);
  }
});

test("refuses snapshots, which each worker would have for itself", async () => {
  const { urls } = await startCluster(2);
  const response = await fetch(`${urls[1]}/__backlot/snapshots/seeded`, { method: "PUT" });
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({ error: { code: "not_with_workers" } });
});
