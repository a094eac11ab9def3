import {
  type Draw,
  type Problem,
  control,
  move,
  parsed,
  sameRows,
  service,
  sessionIds,
  statusesOf,
} from "./asking.ts";
import { rowsOf, takeFault, type WorldModel } from "./model.ts";
import type { Request, WorldReal } from "./real.ts";
import { journalOf, wrongExport } from "./telling-moves.ts";

// What a browser sends for a page that nobody of here has opened, with the headers that it has then.

type Headers = NonNullable<Request["headers"]>;

function fetched(site: string, mode: string, dest: string): Headers {
  return { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest };
}

const opened = fetched("none", "navigate", "document");

/** Loads that nobody asked for, none of which a server may answer. */
export const unasked: Readonly<Record<string, Headers>> = {
  prefetch: { ...opened, "sec-purpose": "prefetch" },
  prerender: { ...opened, "sec-purpose": "prefetch;prerender" },
  "prefetch of another site": {
    ...fetched("cross-site", "navigate", "document"),
    "sec-purpose": "prefetch;anonymous-client-ip",
  },
  preview: { ...opened, "x-purpose": "preview" },
  "prefetch of Firefox": { ...fetched("cross-site", "no-cors", "empty"), "x-moz": "prefetch" },
  picture: fetched("cross-site", "no-cors", "image"),
  script: fetched("cross-site", "no-cors", "script"),
  frame: fetched("cross-site", "navigate", "iframe"),
  "picture of a page without a site": fetched("none", "no-cors", "image"),
  ping: { ...fetched("cross-site", "no-cors", "empty"), origin: "https://evil.example" },
  form: { ...fetched("cross-site", "navigate", "document"), origin: "https://evil.example" },
  "page from a file": { ...fetched("cross-site", "cors", "empty"), origin: "null" },
  "0.0.0.0": { host: "0.0.0.0:4010" },
  "0": { host: "0.1:4010" },
  "IPv4 within IPv6": { host: "[::ffff:127.0.0.1]:4010" },
  "IPv4 as IPv6": { host: "[::127.0.0.1]" },
  "any address of IPv6": { host: "[::]:4010" },
  "rebound name": { host: "evil.example:4010" },
};

const targets = {
  read: { method: "GET", path: "/rest/items" },
  insert: { method: "POST", path: "/rest/items", body: { name: "k0", n: 1, tag: null } },
  remove: { method: "DELETE", path: "/rest/items/1" },
  chat: {
    method: "POST",
    path: "/v1/chat/completions",
    body: { model: "any", messages: [{ role: "user", content: "count" }] },
  },
  models: { method: "GET", path: "/v1/models" },
  nothing: { method: "GET", path: "/nothing" },
  reset: { method: "POST", path: "/__backlot/reset" },
  fault: {
    method: "POST",
    path: "/__backlot/faults",
    body: { interface: "tables", status: 503 },
  },
  journal: { method: "DELETE", path: "/__backlot/requests" },
  state: { method: "GET", path: "/__backlot/state" },
} as const;
const targetNames = Object.keys(targets) as readonly (keyof typeof targets)[];

/** More sessions than are kept beside those that are in use. */
const strangers = ["c0", "c1", "c2", "c3", "c4"] as const;

/** Several loads at once, to sessions that are there and to others. They change nothing, and nothing tells of them. */
export const load: Draw = (random) => {
  const why = random.pick(Object.keys(unasked));
  const loads = random.list(random.int(1, 6), () => ({
    session: random.pick([...sessionIds, ...strangers]),
    target: random.pick(targetNames),
  }));
  return move({ load: why, loads }, async (model, real) => {
    const replies = await Promise.all(
      loads.map(({ session, target }) =>
        real.ask({ session, ...targets[target], headers: unasked[why] ?? {} }),
      ),
    );
    for (const [at, { status, text }] of replies.entries()) {
      const shown = JSON.stringify(loads[at]);
      if (status !== 403) return `${why}: ${shown} is answered ${status} ${text.slice(0, 200)}`;
    }
    const steps = replies.map(({ step }) => step);
    for (const session of new Set(loads.map((one) => one.session))) {
      const wrong = await wrongTrace(model, real, session, steps);
      if (wrong !== undefined) return `${why}, session "${session}": ${wrong}`;
    }
    return wrongSessions(model, real);
  });
};

/** What was refused has changed something, or stands in the journal. */
async function wrongTrace(
  model: WorldModel,
  real: WorldReal,
  session: string,
  steps: readonly string[],
): Promise<Problem> {
  const state = await control(real, { session, method: "GET", path: "/state" }, [200]);
  if (typeof state === "string") return state;
  const wrong = wrongExport(parsed(state), model.peek(session));
  if (wrong !== undefined) return wrong;
  const entries = await journalOf(real, session);
  if (typeof entries === "string") return entries;
  const told = entries.find(({ headers }) => steps.includes(headers["x-step"] ?? ""));
  return told && `${told.method} with the status ${told.status} is in the journal`;
}

/** A session of the model is gone, or one of a stranger has begun. */
async function wrongSessions(model: WorldModel, real: WorldReal): Promise<Problem> {
  const reply = await control(real, { session: "", method: "GET", path: "/sessions" }, [200]);
  if (typeof reply === "string") return reply;
  const listed: readonly { readonly id: string }[] = parsed(reply)?.sessions ?? [];
  const isListed = (id: string): boolean => listed.some((one) => one.id === `${real.prefix}${id}`);
  const lost = [...model.sessions.keys()].find((id) => id !== "" && !isListed(id));
  if (lost !== undefined) return `the session ${lost} is gone`;
  const begun = strangers.find(isListed);
  return begun && `a session ${begun} has begun`;
}

/** A link of another site that somebody follows: it is answered, and begins no session. */
export const visit: Draw = (random) => {
  const session = random.pick([...sessionIds, ...strangers]);
  const headers = {
    ...fetched(random.pick(["cross-site", "none"]), "navigate", "document"),
    ...(random.chance(0.5) ? { "sec-fetch-user": "?1" } : {}),
  };
  return move({ visit: headers, session }, async (model, real) => {
    const request = { session, method: "GET", path: "/rest/items", headers };
    if (model.sessions.has(session)) {
      return service(model, real, request, {
        interface: "tables",
        statuses: [200],
        check: (reply) => sameRows(parsed(reply)?.result, rowsOf(model.session(session).state)),
      });
    }
    const { kind } = takeFault(model.peek(session), "tables");
    // It would wait for nothing.
    if (kind === "hang") return undefined;
    const { status, text } = await real.ask(request);
    const wanted = statusesOf(kind, [200]);
    if (!wanted.includes(status)) return `a visitor is answered ${status} ${text.slice(0, 200)}`;
    return wrongSessions(model, real);
  });
};
