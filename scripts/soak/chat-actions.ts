import type { Answer } from "./client.ts";
import { bodyOf, eventsOf, expect, expectDone } from "./expect.ts";
import { spokenText } from "./fixtures.ts";
import type { Visitor } from "./visitor.ts";

/** What a chat is asked with. */
export function chatBody(user: string, isStream: boolean = false): object {
  return { model: "any", stream: isStream, messages: [{ role: "user", content: user }] };
}

const path = "/v1/chat/completions";

function ask(visitor: Visitor, user: string, isStream: boolean = false): Promise<Answer> {
  return visitor.ask({ method: "POST", path, body: chatBody(user, isStream) });
}

export async function chat(visitor: Visitor): Promise<void> {
  const id = visitor.below(1000);
  const [user, said] = visitor.pick([
    ["quick", spokenText] as const,
    [`row ${id}`, `You asked for ${id} as any.`] as const,
  ]);
  const answer = await ask(visitor, user);
  expect(bodyOf(answer, 200).choices[0].message.content === said, said, answer);
}

/** A script that counts: an error and an answer by turns, in each session from the beginning. */
export async function chatCounted(visitor: Visitor): Promise<void> {
  const status = visitor.isBusyNext ? 503 : 200;
  visitor.isBusyNext = !visitor.isBusyNext;
  bodyOf(await ask(visitor, "again"), status);
}

export async function chatMistake(visitor: Visitor): Promise<void> {
  const answer = await visitor.ask({ method: "POST", path, body: { model: "any" } });
  const { error } = bodyOf(answer, 400);
  expect(error.param === "messages", "an error about messages", answer);
}

/** A stream, read to its end. */
export async function stream(visitor: Visitor): Promise<void> {
  const answer = await ask(visitor, visitor.pick(["quick", "slow"]), true);
  const events = eventsOf(answer);
  expect(answer.end === "whole" && events.at(-1) === "[DONE]", "a whole stream", answer);
  const texts = events.slice(0, -1).map((event) => JSON.parse(event).choices[0].delta.content);
  expect(texts.join("") === spokenText, "the whole text", answer);
}

/** A stream that is left in its middle. */
export async function leaveStream(visitor: Visitor): Promise<void> {
  const body = chatBody("slow", true);
  const leaveAfter = visitor.below(2000);
  const answer = await visitor.ask({ method: "POST", path, body, leaveAfter });
  expect(answer.status === 200 && answer.end === "left", "a stream to leave", answer);
}

/** A script that is added, answers, and is taken out. */
export async function addScript(visitor: Visitor): Promise<void> {
  const script = { name: "mine", when: { user: "quick" }, reply: { content: visitor.session } };
  bodyOf(await visitor.ask({ method: "POST", path: "/__backlot/chats", body: script }), 201);
  const answer = await ask(visitor, "quick");
  const { content } = bodyOf(answer, 200).choices[0].message;
  expect(content === visitor.session, "the added script's answer", answer);
  expectDone(await visitor.ask({ method: "DELETE", path: "/__backlot/chats/mine" }));
}
