import { type ContractCheck, nobody } from "./contract-check.ts";
import type { VerifySubject } from "./subject.ts";

const completions = "/chat/completions";
const messages = [{ role: "user", content: "Reply with the word ok." }];
const errorPlaces = ["body.error.type", "body.error.code"];
const needs = "a chat model";

/** What is asked of chat with the model of the fixtures. */
function asking(more: Readonly<Record<string, unknown>>): ContractCheck["request"] {
  return ({ model }: VerifySubject) =>
    model === undefined
      ? undefined
      : { method: "POST", path: completions, json: { model, ...more } };
}

/** The contract of chat. */
export const chatChecks: readonly ContractCheck[] = [
  {
    name: "lists the models",
    interface: "chat",
    request: () => ({ path: "/models" }),
    stable: ["body.object"],
  },
  {
    name: "gives one model",
    interface: "chat",
    needs,
    request: ({ model }) =>
      model === undefined ? undefined : { path: `/models/${encodeURIComponent(model)}` },
    stable: ["body.object"],
  },
  {
    name: "knows no model that is not there",
    interface: "chat",
    request: () => ({ path: `/models/${nobody}` }),
    stable: errorPlaces,
  },
  {
    name: "completes a chat as JSON",
    interface: "chat",
    needs,
    request: asking({ messages }),
    stable: ["body.object", "body.choices.*.message.role"],
  },
  {
    name: "streams a completion",
    interface: "chat",
    needs,
    request: asking({ messages, stream: true }),
    stable: ["body.object"],
  },
  {
    name: "streams a completion with its usage",
    interface: "chat",
    needs,
    request: asking({ messages, stream: true, stream_options: { include_usage: true } }),
    stable: ["body.object"],
  },
  {
    name: "refuses a completion by a model that is not there",
    interface: "chat",
    request: () => ({ method: "POST", path: completions, json: { model: nobody, messages } }),
    stable: errorPlaces,
  },
  {
    name: "refuses a completion without messages",
    interface: "chat",
    needs,
    request: asking({}),
    stable: errorPlaces,
  },
  {
    name: "refuses messages of a wrong type",
    interface: "chat",
    needs,
    request: asking({ messages: "hello" }),
    stable: errorPlaces,
  },
  {
    name: "refuses a completion whose body is no JSON",
    interface: "chat",
    request: () => ({ method: "POST", path: completions, text: '{"model":' }),
    stable: errorPlaces,
  },
  {
    name: "refuses a completion that is asked for by GET",
    interface: "chat",
    request: () => ({ path: completions }),
  },
  {
    name: "knows no path that is not there",
    interface: "chat",
    request: () => ({ path: `/${nobody}` }),
  },
  {
    name: "refuses chat without a key",
    interface: "chat",
    request: () => ({ path: "/models", withKey: false }),
    stable: errorPlaces,
  },
];
