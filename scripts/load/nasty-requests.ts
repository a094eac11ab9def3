import { gzipSync } from "node:zlib";

/** A request that is to hold up a server. */
export interface NastyRequest {
  readonly name: string;
  readonly profiles: readonly ("document" | "observed")[];
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made when it is sent: all of them together would be 300 MB. */
  readonly body?: () => string | Uint8Array;
  /** The client leaves so soon. */
  readonly leavesAfterMs?: number;
}

const chat = "/v1/chat/completions";
const both = ["document", "observed"] as const;
const large = 9_800_000;

/** Tables and scripts that the requests need. */
export function nastyFixtures(): object {
  const small = { columns: { id: "INTEGER", text: "TEXT", json: "JSON" } };
  const rows = Array.from({ length: 100_000 }, (_, id) => ({
    id,
    text: `text ${(id * 7919) % 100_003}`,
    half: id / 2,
  }));
  return {
    AUTHORIZATION_TOKEN: "local-token",
    models: [{ id: "any" }],
    tables: {
      small: { ...small, rows: [{ id: 1, text: "one" }] },
      many: rows,
      wide: [Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`column_${at}`, at]))],
      texts: Array.from({ length: 2 }, (_, id) => ({ id, text: "ab".repeat(1_000_000) })),
      pages: Array.from({ length: 1_000 }, (_, id) => ({ id, text: "x\n".repeat(5_000) })),
    },
    chats: [
      { name: "long", when: { user: "long stream" }, reply: { content: words(large) } },
      {
        name: "letters",
        when: { user: "by letters" },
        reply: { content: words(1_000_000), pace: { by: "character" } },
      },
      {
        name: "template",
        when: { user: "template" },
        reply: { content: "{{ user }} {{ user | upcase }}" },
      },
    ],
  };
}

function words(length: number): string {
  return "lorem ipsum ".repeat(length / 12);
}

function deep(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

/** An object of as many keys as fit. */
function keys(size: number): string {
  const members: string[] = [];
  for (let at = 0, length = 0; length < size; at++) {
    const member = `"k${at.toString(36)}":0`;
    members.push(member);
    length += member.length + 1;
  }
  return `{${members.join(",")}}`;
}

function row(value: string): string {
  return `{"text":"x","json":${value}}`;
}

function said(content: string, more: object = {}): string {
  return JSON.stringify({ model: "any", messages: [{ role: "user", content }], ...more });
}

function list(item: string, size: number): string {
  return `[${Array.from({ length: size / (item.length + 1) }, () => item).join(",")}]`;
}

/** A body to a path, in whatever profile. */
function post(name: string, path: string, body: () => string | Uint8Array): NastyRequest {
  return { name, profiles: both, method: path.includes("/state") ? "PUT" : "POST", path, body };
}

function get(name: string, path: string, profiles: NastyRequest["profiles"] = both): NastyRequest {
  return { name, profiles, method: "GET", path };
}

const pattern = (length: number): string => encodeURIComponent(`%${"ab".repeat(length / 2)}_%`);

export const nastyRequests: readonly NastyRequest[] = [
  post("4.9 million levels as a row", "/rest/small", () => deep(large / 2)),
  post("4.9 million levels as a chat", chat, () => deep(large / 2)),
  post("4.9 million levels as a state", "/__backlot/state", () => deep(large / 2)),
  post("500,000 levels that are not closed", "/rest/small", () => "[".repeat(500_000)),
  post("500,000 levels in a row", "/rest/small", () => row(deep(500_000))),
  post("a million levels side by side", "/rest/small", () => row(list(deep(90), large))),
  post("unknown columns, 1 MB", "/rest/small", () => keys(990_000)),
  post("unknown columns, 10 MB", "/rest/small", () => keys(large)),
  post("unknown fields of a chat, 1 MB", chat, () => keys(990_000)),
  post("unknown fields of a chat, 10 MB", chat, () => keys(large)),
  post("unknown keys of a message", chat, () => `{"model":"any","messages":[${keys(large)}]}`),
  post("unknown keys of a state", "/__backlot/state", () => keys(large)),
  post("unknown keys of a fault", "/__backlot/faults", () => keys(large)),
  post("unknown keys of a script", "/__backlot/chats", () => keys(large)),
  post("a million keys in a JSON column", "/rest/small", () => row(keys(large))),
  post("a key 300,000 times in a state", "/__backlot/state", () => {
    return `{"tables":{${Array.from({ length: 300_000 }, () => '"t":[]').join(",")}}}`;
  }),
  post("a column a million times", "/rest/small", () => {
    return `{${Array.from({ length: 1_000_000 }, () => '"text":1').join(",")}}`;
  }),
  post("a number of 9.8 million digits", "/rest/small", () => `{"id":${"7".repeat(large)}}`),
  post("a fraction of 9.8 million digits", "/rest/small", () => row(`0.${"7".repeat(large)}`)),
  post("a text of 9.8 million digits", "/rest/small", () => `{"id":"${"7".repeat(large)}"}`),
  post("a state with 9.8 million digits", "/__backlot/state", () => {
    return `{"tables":{"t":[{"id":${"7".repeat(large)}}]}}`;
  }),
  post("400,000 numbers beyond doubles", "/rest/small", () =>
    row(list("9007199254740993000001", large)),
  ),
  post("a text of escapes", "/rest/small", () => `{"text":"${"\\u0000".repeat(large / 6)}"}`),
  post(
    "a text of backslashes",
    "/rest/small",
    () => `{"id":1e999,"text":"${"\\\\".repeat(large / 2)}"}`,
  ),
  post("a text that ends in backslashes", "/rest/small", () => `{"text":"${"\\".repeat(large)}"}`),
  post("three million items as a row", "/rest/small", () => list("1", large)),
  post(
    "three million items as messages",
    chat,
    () => `{"model":"any","messages":${list("1", large)}}`,
  ),
  post("250,000 messages", chat, () => {
    return `{"model":"any","messages":${list('{"role":"user","content":"a"}', large)}}`;
  }),
  post("a message of 9.8 MB", chat, () => said("long ".repeat(large / 5))),
  post("a message of 9.8 MB, streamed", chat, () =>
    said("long ".repeat(large / 5), { stream: true }),
  ),
  post("a message without spaces", chat, () => said("é".repeat(large / 2))),
  post("100,000 tools", chat, () => {
    const tool = '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}';
    return `{"model":"any","messages":[{"role":"user","content":"a"}],"tools":${list(tool, large - 100)}}`;
  }),
  post("a script of 9.8 MB, streamed", chat, () => said("long stream", { stream: true })),
  post("a script of a million letters, streamed", chat, () => said("by letters", { stream: true })),
  post("a template over a message of 9 MB", chat, () => said(`template ${"a".repeat(9_000_000)}`)),
  post("100 stops over a long script", chat, () => {
    return said("long stream", { stop: ["z".repeat(1_000), "ipsum z", "lorem z", "m i z"] });
  }),
  {
    ...post("rows of a table, 10 MB", "/__backlot/tables/small", () => {
      return list('{"text":"bulk"}', large);
    }),
    method: "PUT",
  },
  post("a state of rows, 10 MB", "/__backlot/state", () => {
    return `{"tables":{"small":${list('{"text":"bulk"}', large)}}}`;
  }),
  post("a state of scripts, 10 MB", "/__backlot/state", () => {
    const scripts = Array.from({ length: 60_000 }, (_, at) => {
      return `{"name":"script ${at}","when":{"user":{"regex":"word ${at}+"}},"reply":{"content":"a"}}`;
    });
    return `{"chats":[${scripts.join(",")}]}`;
  }),
  {
    ...post("a body in gzip", "/rest/small", () => gzipSync("a".repeat(400_000_000), { level: 1 })),
    headers: { "content-encoding": "gzip" },
  },
  get(
    "parameters, 60 KB",
    `/rest/small?${Array.from({ length: 10_000 }, () => "id=1")
      .map((text, at) => `${text}${at}`)
      .join("&")
      .slice(0, 60_000)}`,
  ),
  get(
    "unknown parameters, 60 KB",
    `/rest/wide?${Array.from({ length: 6_000 }, (_, at) => `c_${at}=1`).join("&")}`,
  ),
  get(
    "an in list over 100,000 rows",
    `/rest/many?half.in=${Array.from({ length: 9_000 }, (_, at) => at * 5).join(",")}`,
  ),
  get(
    "many ne over 100,000 rows",
    `/rest/many?limit=1&offset=99999999&${Array.from({ length: 4_000 }, (_, at) => `half.ne=${at}`).join("&")}`,
  ),
  get(
    "many lt over 100,000 rows",
    `/rest/many?limit=1&offset=99999999&${Array.from({ length: 4_000 }, (_, at) => `half.lt=${at + 1e6}`).join("&")}`,
  ),
  get(
    "many like over 100,000 rows",
    `/rest/many?limit=1&${Array.from({ length: 2_000 }, (_, at) => `text.like=%25e%25_${at}%25`).join("&")}`,
  ),
  get("a like of 1,000 letters over 4 MB", `/rest/texts?limit=0&text.like=${pattern(990)}`),
  get("a like of 1,000 letters, found late", `/rest/texts?limit=1&text.like=${pattern(990)}`),
  get(
    "50 likes of 1,000 letters over 4 MB",
    `/rest/texts?limit=1&${Array.from({ length: 50 }, (_, at) => `text.like=${pattern(990)}${at}%25`).join("&")}`,
  ),
  get(
    "likes with many %",
    `/rest/texts?limit=1&${Array.from({ length: 50 }, (_, at) => `text.like=${"%25_a%25_b".repeat(80)}${at}%25`).join("&")}`,
  ),
  get("a like of 48 bytes over 4 MB", `/rest/texts?text.like=%25${"ab".repeat(22)}__a%25`),
  get(
    "100 likes of 48 bytes over 4 MB",
    `/rest/texts?${Array.from({ length: 90 }, (_, at) => `text.like=%25${"ab".repeat(19)}__${at}%25`).join("&")}`,
  ),
  get("100,000 rows in the order of a text", "/rest/many?sort_by=text&limit=1"),
  get("100,000 rows", "/rest/many"),
  get("a page of large rows, 10 MB", "/rest/pages"),
  get("the state", "/__backlot/state"),
  get("the rows of a table", "/__backlot/tables/many"),
  get("a path of escapes", `/rest/${"%41".repeat(20_000)}`),
  get("a path of slashes", `/rest${"/".repeat(60_000)}`),
  get("a path of dots", `/rest${"/..".repeat(20_000)}`),
  { ...get("a long header", "/rest/small"), headers: { "x-long": "a, ".repeat(20_000) } },
  { ...get("a long origin", "/rest/small"), headers: { origin: `http://${"a.".repeat(30_000)}` } },
  { ...get("a long host", "/rest/small"), headers: { host: "a.".repeat(30_000) } },
  {
    ...get("a key of 60 KB", "/rest/small"),
    headers: { authorization: `Bearer ${" a".repeat(30_000)}` },
  },
  { ...get("a client that leaves", "/rest/many"), leavesAfterMs: 5 },
  get("the journal of all of this", "/__backlot/requests"),
];
