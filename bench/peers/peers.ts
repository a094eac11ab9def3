/** Backlot and the tools that people use in its place, each configured as its documents say, with the same rows and chats. */
import { aimockFixtures, backlotFixtures, chunkLength } from "../chat/chat-fixtures.ts";
import { itemTypes } from "../items.ts";
import { asked, servedItems, type Targets } from "./asked.ts";
import { mockoonEnvironment } from "./mockoon.ts";

export interface Peer {
  readonly name: string;
  /** Its folder in bench/node_modules. */
  readonly package?: string;
  readonly script: URL;
  /** What it serves, as its file. */
  readonly fixtures: () => object;
  readonly args: (port: string, file: string) => readonly string[];
  /** Undefined where it has no tables. */
  readonly targets?: Targets;
  readonly does: { readonly chat: boolean; readonly stream: boolean };
}

const here = (path: string): URL => new URL(path, import.meta.url);
const installed = (path: string): URL => here(`../node_modules/${path}`);
const nothing = { chat: false, stream: false };
const both = { chat: true, stream: true };

export const backlot = {
  name: "Backlot",
  script: here("../../dist/command/backlot.js"),
  fixtures: () => ({
    ...backlotFixtures(asked.length, asked),
    tables: {
      items: { primaryKey: "id", columns: Object.fromEntries(itemTypes), rows: servedItems },
    },
  }),
  args: (port, file) => ["start", file, "--port", port, "--log", "silent"],
  targets: {
    rows: "/rest/items",
    range: ({ from, to, page }) =>
      `/rest/items?price.gte=${from}&price.lte=${to}&sort_by=price&limit=10&offset=${10 * page - 10}`,
    equal: (category) => `/rest/items?category=${category}&sort_by=price&limit=10`,
  },
  does: both,
} satisfies Peer;

const aimock: Peer = {
  name: "aimock",
  package: "@copilotkit/aimock",
  script: here("../chat/aimock-server.mjs"),
  fixtures: () => aimockFixtures(asked.length, asked),
  args: (port, file) => [port, file],
  does: both,
};

const openaiMockApi: Peer = {
  name: "openai-mock-api",
  package: "openai-mock-api",
  script: installed("openai-mock-api/dist/cli.js"),
  fixtures: () => ({
    apiKey: "local-key",
    responses: asked.map(({ user, content }) => ({
      id: user,
      messages: [
        { role: "system", matcher: "any" },
        { role: "user", content: user },
        { role: "assistant", content },
      ],
    })),
  }),
  args: (port, file) => ["--config", file, "--port", port],
  does: both,
};

const jsonServer: Peer = {
  name: "json-server 0.17",
  package: "json-server",
  script: installed("json-server/lib/cli/bin.js"),
  fixtures: () => ({ items: servedItems }),
  args: (port, file) => [file, "--port", port, "--host", "127.0.0.1", "--quiet", "--ng"],
  targets: {
    rows: "/items",
    range: ({ from, to, page }) =>
      `/items?price_gte=${from}&price_lte=${to}&_sort=price&_page=${page}&_limit=10`,
    equal: (category) => `/items?category=${category}&_sort=price&_limit=10`,
  },
  does: nothing,
};

const jsonServer1: Peer = {
  name: "json-server 1.0",
  package: "json-server-1",
  script: installed("json-server-1/lib/bin.js"),
  fixtures: () => ({ items: servedItems }),
  args: (port, file) => [file, "--port", port],
  targets: {
    rows: "/items",
    range: ({ from, to, page }) =>
      `/items?price:gte=${from}&price:lte=${to}&_sort=price&_page=${page}&_per_page=10`,
    equal: (category) => `/items?category=${category}&_sort=price&_page=1&_per_page=10`,
  },
  does: nothing,
};

const mockoon: Peer = {
  name: "Mockoon",
  package: "@mockoon/cli",
  script: installed("@mockoon/cli/bin/run.js"),
  fixtures: mockoonEnvironment,
  args: (port, file) => [
    "start",
    "--data",
    file,
    "--port",
    port,
    "--hostname",
    "127.0.0.1",
    "--repair",
    "--disable-log-to-file",
  ],
  targets: {
    rows: "/items",
    range: ({ from, to, page }) =>
      `/items?price_gte=${from}&price_lte=${to}&sort=price&page=${page}&limit=10`,
    equal: (category) => `/items?category_eq=${category}&sort=price&limit=10`,
  },
  does: { chat: true, stream: false },
};

const msw: Peer = {
  name: "msw, @msw/data",
  package: "@msw/data",
  script: new URL("msw-server.mjs", import.meta.url),
  fixtures: () => ({
    items: servedItems,
    chats: asked.map((question) => ({ ...question, chunkLength })),
  }),
  args: (port, file) => [port, file],
  targets: {
    rows: "/items",
    range: ({ from, to, page }) => `/items?from=${from}&to=${to}&page=${page}`,
    equal: (category) => `/items?category=${category}`,
  },
  does: both,
};

export const peers: readonly Peer[] = [
  backlot,
  aimock,
  openaiMockApi,
  jsonServer,
  jsonServer1,
  mockoon,
  msw,
];
