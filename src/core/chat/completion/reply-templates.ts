import { EmulatorError } from "../../errors/emulator-error.ts";
import { showText } from "../../errors/show.ts";
import { lowerCased, type ReplyHeaders } from "../../http/reply.ts";
import { asObject, isObject, isPresent, type JsonObject } from "../../schema/json.ts";
import { isTemplate } from "../../template/templates.ts";
import type { ChatContext } from "../context.ts";
import type { Subject } from "../matching/criteria.ts";
import type { MatchGroups } from "../matching/text-matcher.ts";
import { type ChatMessage, type ChatRequest, lastUserText } from "../request/chat-request.ts";
import { isHeaderValue } from "../scripts/header-syntax.ts";
import { asTyped, schemaWithin } from "./argument-types.ts";

/** Renders the templates of a reply, one after the other, so that the same seed gives the same values. */
export interface ReplyTemplates {
  /** The text, rendered if it is a template. Rejects with `ERR_TEMPLATE_INVALID` when the template fails. */
  readonly render: (text: string) => Promise<string>;
  /** The JSON value with each template in it replaced by its result, in the type of the schema if there is one. */
  readonly evaluate: (value: unknown, schema?: unknown) => Promise<unknown>;
}

/** The templates of a reply to a request. Their variables are computed only if there is a template. */
export function replyTemplates(
  subject: Subject,
  findGroups: () => MatchGroups,
  context: Pick<ChatContext, "templates" | "templateScope">,
): ReplyTemplates {
  const { templates } = context;
  let known: object | undefined;
  const scope = (): object => (known ??= templateScope(subject, findGroups, context));
  const evaluate: ReplyTemplates["evaluate"] = async (value, schema) => {
    if (typeof value === "string") {
      return isTemplate(value) ? asTyped(await templates.evaluate(value, scope()), schema) : value;
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [at, item] of value.entries()) {
        items.push(await evaluate(item, schemaWithin(schema, at)));
      }
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      entries.push([key, await evaluate(item, schemaWithin(schema, key))]);
    }
    return Object.fromEntries(entries);
  };
  return {
    render: async (text) => (isTemplate(text) ? templates.render(text, scope()) : text),
    evaluate,
  };
}

/** A reply's headers by lower-case name. Rejects with `ERR_TEMPLATE_INVALID` when one cannot be sent. */
export async function renderHeaders(
  headers: Readonly<Record<string, string>> | undefined,
  { render }: ReplyTemplates,
): Promise<ReplyHeaders> {
  if (headers === undefined || !Object.values(headers).some(isTemplate)) return lowerCased(headers);
  const rendered: [string, string][] = [];
  for (const [name, text] of Object.entries(headers)) {
    const value = (await render(text)).trim();
    if (!isHeaderValue(value)) {
      throw new EmulatorError(
        "ERR_TEMPLATE_INVALID",
        `The header ${showText(name)} would be ${showText(value)}, which no header can be: remove line breaks and letters beyond Latin-1, for example with the filter url_encode.`,
      );
    }
    rendered.push([name.toLowerCase(), value]);
  }
  return Object.fromEntries(rendered);
}

/** The variables of templates. Rarely used ones are computed on first use. */
function templateScope(
  { request, headers }: Subject,
  findGroups: () => MatchGroups,
  context: Pick<ChatContext, "templateScope">,
): object {
  let groups: MatchGroups | undefined;
  return {
    ...context.templateScope(),
    user: lastUserText(request) ?? "",
    model: request.model,
    request: request.body,
    headers,
    get messages(): readonly object[] {
      return request.messages.map(messageForTemplates);
    },
    get match(): MatchGroups {
      groups ??= findGroups();
      return groups;
    },
    get tools(): readonly object[] {
      return toolsForTemplates(request);
    },
  };
}

/** A message as sent, except that its content is the text that matchers see; null if the message has no content. */
function messageForTemplates({ sent, text }: ChatMessage): object {
  return { ...sent, content: isPresent(sent["content"]) ? text : null };
}

/**
 * The tools that a request offers, in the form of chat completions. Each has a `name`, which a template shows for the
 * tool.
 */
function toolsForTemplates({ options }: ChatRequest): readonly object[] {
  const { tools, functions } = options;
  return [
    ...objectsIn(tools).map((tool) => namedTool(tool, tool["function"] ?? tool["custom"])),
    ...objectsIn(functions).map((older) => namedTool({ function: older }, older)),
  ];
}

function namedTool(tool: JsonObject, within: unknown): object {
  const given = asObject(within)?.["name"];
  const name = typeof given === "string" ? given : "";
  const shown = { value: () => name, enumerable: false };
  return Object.defineProperty({ ...tool, name }, "toString", shown);
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
