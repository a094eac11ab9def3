/**
 * A Mockoon environment: a CRUD route over a data bucket for the rows, a response with a rule for the chat. Mockoon
 * fills in what is missing by `--repair`.
 */
import { randomUUID } from "node:crypto";
import { jsonQuestion } from "../chat/chat-fixtures.ts";
import { servedItems } from "./asked.ts";

/** The format of Mockoon 9.9: nothing is left to migrate. */
const lastMigration = 33;

const headers = [{ key: "Content-Type", value: "application/json" }];
const message = { role: "assistant", content: jsonQuestion.content };

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "atlas-large",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage: { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 },
};

/** Each part has an id of its own. */
function part(given: object): { readonly uuid: string } {
  return { uuid: randomUUID(), ...given };
}

export function mockoonEnvironment(): object {
  const bucket = { id: "item", name: "items", value: JSON.stringify(servedItems) };
  const rule = { target: "body", modifier: "messages.1.content", operator: "equals" };
  const rules = [{ ...rule, value: jsonQuestion.user, invert: false }];
  const body = JSON.stringify(completion);
  const responses = [
    part({ body, headers, rules, disableTemplating: true, statusCode: 200 }),
    part({ statusCode: 404, default: true }),
  ];
  const rows = part({ bodyType: "DATABUCKET", databucketID: bucket.id, headers, default: true });
  const routes = [
    part({ type: "crud", endpoint: "items", responses: [rows] }),
    part({ type: "http", method: "post", endpoint: "v1/chat/completions", responses }),
  ];
  const rootChildren = routes.map(({ uuid }) => ({ type: "route", uuid }));
  return part({ lastMigration, name: "peers", data: [part(bucket)], routes, rootChildren });
}
