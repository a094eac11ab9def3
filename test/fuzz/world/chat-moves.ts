import {
  type Defect,
  type Draw,
  type Problem,
  control,
  damaged,
  move,
  parsed,
  service,
  sessionIds,
} from "./asking.ts";
import { type Reply } from "./client.ts";
import { type State } from "./model.ts";

// Chat.

export const chat: Draw = (random) => {
  const session = random.pick(sessionIds);
  const text = random.pick(["count", "hello", "say it", "added0", "added1"]);
  const stream = random.chance(0.5);
  const bad = random.weighted<Defect>([
    [40, "none"],
    [2, "not JSON"],
    [2, "no messages"],
    [2, "deep"],
    [0.3, "large"],
  ]);
  const halfCloses = random.chance(0.15);
  return move({ chat: text, session, stream, bad, halfCloses }, (model, real) => {
    const good = { model: "any", stream, messages: [{ role: "user", content: text }] };
    return service(
      model,
      real,
      {
        session,
        method: "POST",
        path: "/v1/chat/completions",
        body: damaged(good, bad, real),
      },
      {
        interface: "chat",
        statuses: statusesOf[bad] ?? [400],
        check: (reply) =>
          bad === "none" ? wrongAnswer(model.session(session).state, text, reply) : undefined,
        after: (state, { status }) =>
          text === "count" && status === 200 ? { ...state, count: state.count + 1 } : state,
      },
      { halfCloses },
    );
  });
};

/** Statuses other than 400. A deep field that nobody reads may be taken. */
const statusesOf: Partial<Readonly<Record<Defect, readonly number[]>>> = {
  none: [200],
  large: [413],
  deep: [200, 400],
};

function wrongAnswer({ scripts, count }: State, text: string, { text: answer }: Reply): Problem {
  const [counted = ""] = ["one", "two", "three"].slice(count % 3);
  const wanted = scripts.get(text) ?? (text === "count" ? counted : `Echo: ${text}`);
  if (!answer.startsWith("data: ")) {
    const { content } = parsed({ status: 200, text: answer, ms: 0 })?.choices?.[0]?.message ?? {};
    return content === wanted ? undefined : `the chat says ${content} and not ${wanted}`;
  }
  const events = answer.split("\n\n");
  if (events.at(-2) !== "data: [DONE]") return `the stream ends with ${answer.slice(-100)}`;
  const content = events
    .slice(0, -2)
    .map((event) => JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content ?? "")
    .join("");
  return content === wanted ? undefined : `the stream says ${content} and not ${wanted}`;
}

export const script: Draw = (random) => {
  const session = random.pick(sessionIds);
  const name = random.pick(["added0", "added1"]);
  const content = random.pick(["first", "second"]);
  const removes = random.chance(0.4);
  return move({ script: name, content, removes, session }, async (model, real) => {
    const now = model.session(session);
    const isThere = now.state.scripts.has(name);
    const scripts = new Map(now.state.scripts);
    if (removes) scripts.delete(name);
    else scripts.set(name, content);
    const body = { name, when: { user: { equals: name } }, reply: { content } };
    const reply = removes
      ? await control(real, { session, method: "DELETE", path: `/chats/${name}` }, [
          isThere ? 204 : 404,
        ])
      : await control(
          real,
          { session, method: "POST", path: "/chats", body },
          isThere ? [201, 400, 409] : [201],
        );
    if (typeof reply === "string") return reply;
    if (reply.status < 300) model.session(session).state = { ...now.state, scripts };
    return undefined;
  });
};
