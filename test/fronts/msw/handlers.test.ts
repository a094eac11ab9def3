import { http, HttpResponse, passthrough } from "msw";
import { setupServer } from "msw/node";
import { expect, test, vi } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { handlers, refuseUnhandled } from "../../../src/fronts/msw/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas" }],
} as const;

interface Listening extends Disposable {
  readonly server: ReturnType<typeof setupServer>;
}

/** Intercepts until it is disposed of. What nobody handles is an error. */
function listen(...listed: Parameters<typeof setupServer>): Listening {
  const server = setupServer(...listed);
  server.listen(refuseUnhandled);
  return { server, [Symbol.dispose]: () => server.close() };
}

test("answers both interfaces wherever an app looks for them", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  using _ = listen(...handlers(emulator));
  const rows = await fetch("https://db.example.com/rest/users/1");
  expect(await rows.json()).toEqual({ result: [{ id: 1, name: "Ada" }] });
  const models = await fetch("https://api.example.com/v1/models");
  expect(await models.json()).toMatchObject({ data: [{ id: "atlas" }] });
});

test("is one handler for all routes", async () => {
  expect(handlers(await createEmulator({ fixtures }))).toHaveLength(1);
});

test("leaves the handlers before it their requests", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const own = http.get("*/rest/users", () => HttpResponse.json({ result: "my own" }));
  using _ = listen(own, ...handlers(emulator));
  expect(await (await fetch("http://x.test/rest/users")).json()).toEqual({ result: "my own" });
  expect((await fetch("http://x.test/rest/users/1")).status).toBe(200);
});

test("leaves the handlers after it what is not the emulator's", async () => {
  const emulator = await createEmulator({ fixtures });
  const own = http.get("http://x.test/weather", () => HttpResponse.text("rain"));
  using _ = listen(...handlers(emulator), own);
  expect(await (await fetch("http://x.test/weather")).text()).toBe("rain");
});

test("gives way to a handler that is put before it for one test", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  using listening = listen(...handlers(emulator));
  listening.server.use(http.get("*/rest/users", () => HttpResponse.error()));
  await expect(fetch("http://x.test/rest/users")).rejects.toThrow(TypeError);
  listening.server.resetHandlers();
  expect((await fetch("http://x.test/rest/users")).status).toBe(200);
});

test("lets requests for other paths through to the network", async () => {
  const emulator = await createEmulator({ fixtures });
  const other = await createEmulator({ fixtures: { tables: {} }, auth: false });
  const real = await startServer(other, { port: 0 });
  using _ = listen(
    ...handlers(emulator),
    http.all("*", () => passthrough()),
  );
  const response = await fetch(`${real.url}/health`);
  await real.close();
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "unknown_url" } });
});

test("fails a request that neither it nor another handler knows", async () => {
  const emulator = await createEmulator({ fixtures });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  using _ = listen(...handlers(emulator));
  await expect(fetch("http://x.test/other")).rejects.toThrow(/[Ff]ailed/);
  expect(logged).toHaveBeenCalled();
  logged.mockRestore();
});

test("answers everything at an origin that is the emulator's alone", async () => {
  const origins = ["https://api.example.com"];
  const emulator = await createEmulator({ fixtures, auth: false, origins });
  const own = http.get("*/other", () => HttpResponse.text("after it"));
  using _ = listen(...handlers(emulator), own);
  const response = await fetch("https://api.example.com/other");
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "unknown_url" } });
  expect(await (await fetch("https://else.example.com/other")).text()).toBe("after it");
});

test.each(["document", "script", "style", "image"] as const)(
  "leaves a page its own %s, even at a path of the emulator",
  async (destination) => {
    const emulator = await createEmulator({ fixtures });
    const own = http.get("*", () => HttpResponse.text("the page's own"));
    using _ = listen(...handlers(emulator), own);
    const spied = vi.spyOn(Request.prototype, "destination", "get").mockReturnValue(destination);
    const response = await fetch("http://x.test/models");
    spied.mockRestore();
    expect(await response.text()).toBe("the page's own");
  },
);

test("answers at the base path that was chosen, and leaves the rest alone", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, basePath: "/api" });
  const own = http.get("*/rest/users", () => HttpResponse.text("mine"));
  using _ = listen(...handlers(emulator), own);
  expect((await fetch("http://x.test/api/rest/users")).status).toBe(200);
  expect(await (await fetch("http://x.test/rest/users")).text()).toBe("mine");
});

test("cancels a streamed body without waiting for msw's own copy of it", async () => {
  const chunks = ["first", { wait: 3_600_000 }, "second"];
  const records: unknown[] = [];
  const emulator = await createEmulator({
    fixtures: { chats: [{ name: "slow", reply: { chunks } }] },
    auth: false,
    observer: { exchanged: ({ aborted }) => records.push(aborted) },
  });
  using _ = listen(...handlers(emulator));
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: "x" }],
  });
  const response = await fetch("http://x.test/v1/chat/completions", { method: "POST", body });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(records).toEqual([true]);
});

test("cancels a body of text that nobody has read", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  using _ = listen(...handlers(emulator));
  const response = await fetch("http://x.test/rest/users");
  await expect(response.body?.cancel()).resolves.toBeUndefined();
});

test("lets listeners of msw's events read an answer as well", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  using listening = listen(...handlers(emulator));
  const heard: Promise<string>[] = [];
  listening.server.events.on("response:mocked", ({ response }) => {
    heard.push(response.clone().text());
  });
  const text = await (await fetch("http://x.test/rest/users/1")).text();
  expect(await Promise.all(heard)).toEqual([text]);
  expect(text).toBe('{"result":[{"id":1,"name":"Ada"}]}');
});

test("prints nothing when a client gives up while its reply is held back", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, latency: 3_600_000 });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  using _ = listen(...handlers(emulator));
  const response = fetch("http://x.test/rest/users", { signal: AbortSignal.timeout(20) });
  await expect(response).rejects.toThrow(/aborted/);
  // Msw prints after it has told the client.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

test("answers a request that has neither a destination nor a mode, as those of happy-dom", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const request = new Request("https://db.example.com/rest/users/1");
  for (const name of ["destination", "mode"]) {
    Object.defineProperty(request, name, { value: undefined });
  }
  const [handler] = handlers(emulator);
  const found = await handler?.run({ request, requestId: "1" });
  expect(await found?.response?.json()).toEqual({ result: [{ id: 1, name: "Ada" }] });
});
