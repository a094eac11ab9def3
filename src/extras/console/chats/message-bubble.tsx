import type { ComponentChildren, VNode } from "preact";
import { asObject, isObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Picture } from "../parts/picture.tsx";
import { type ItemPart, partsOf } from "./item-parts.ts";

interface BubbleProps {
  /** Whose words the bubble shows: `user`, `assistant`, `system` or `tool`. */
  readonly role: string;
  /** What the bubble is, such as `message 2`. */
  readonly name: string;
  /** What stands beside the role. */
  readonly head?: ComponentChildren;
  /** `failed` for an error in place of words. */
  readonly tone?: "" | "failed";
  /** Whether more of the message is arriving. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

/** What one side of a conversation said. */
export function Bubble(props: BubbleProps): VNode {
  const { role, name, head, tone = "", isBusy = false, children } = props;
  return (
    <article class={`bubble ${role} ${tone}`} aria-label={`${name}, ${role}`} aria-busy={isBusy}>
      <div class="row bubble-head">
        <span>{role}</span>
        {head}
      </div>
      {children}
    </article>
  );
}

/** Whose words an item is: its role, and for an item without one the tool's or the model's. */
export function roleOf({ role, type }: JsonObject): string {
  if (typeof role === "string") return role;
  return typeof type === "string" && type.endsWith("_output") ? "tool" : "assistant";
}

interface MessageBodyProps {
  readonly item: JsonObject;
  readonly name: string;
  /** The name of the tool whose result the item is. */
  readonly tool: string | undefined;
}

/** A message, or an item of Responses, to be read: texts with Markdown, pictures, calls and results folded. */
export function MessageBody({ item, name, tool }: MessageBodyProps): VNode {
  const isResult = roleOf(item) === "tool";
  const parts = partsOf(item).filter((part) => part.kind !== "text" || part.text !== "");
  if (!isResult) {
    return (
      <>
        {parts.map((part, index) => (
          <Part key={index} part={part} name={name} />
        ))}
      </>
    );
  }
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return (
    <Folded
      title={<>result of {tool === undefined ? "a tool" : <code>{tool}</code>}</>}
      hint={texts.join(" ")}
    >
      {parts.map((part, index) =>
        part.kind === "text" ? (
          <JsonTree
            key={index}
            label={`Result in ${name}`}
            value={parseJson(part.text) ?? part.text}
          />
        ) : (
          <Part key={index} part={part} name={name} />
        ),
      )}
    </Folded>
  );
}

function Part({ part, name }: { readonly part: ItemPart; readonly name: string }): VNode {
  switch (part.kind) {
    case "picture":
      return <Picture url={part.url} name={name} />;
    case "calls":
      return <Calls value={part.value} />;
    case "text":
      return <Markdown text={part.text} />;
    case "refusal":
      return <p class="said bad">{part.text}</p>;
    default:
      return (
        <Folded title={otherTitle(part.value)} hint="">
          <JsonTree label={`Other parts of ${name}`} value={part.value} />
        </Folded>
      );
  }
}

/** The title of an item that is no message, such as `function_call get_weather`. */
function otherTitle(value: unknown): string {
  const { type, name } = asObject(value) ?? {};
  const words = [type, name].filter((word) => typeof word === "string");
  return words.length === 0 ? "more" : words.join(" ");
}

function Calls({ value }: { readonly value: unknown }): VNode {
  const calls = Array.isArray(value) ? value.filter(isObject) : [];
  return (
    <>
      {calls.map((call, index) => {
        const called = asObject(call["function"] ?? call["custom"]) ?? {};
        const given = called["arguments"] ?? called["input"];
        return <Call key={index} name={textOf(called["name"])} given={textOf(given)} />;
      })}
    </>
  );
}

/** A text as it is, and any other value as JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

interface CallProps {
  readonly name: string;
  /** The call's arguments as they were sent: JSON, or the text of a custom tool. */
  readonly given: string;
}

/** A call of a tool, with its arguments folded. */
export function Call({ name, given }: CallProps): VNode {
  return (
    <Folded
      title={
        <>
          calls <code>{name}</code>
        </>
      }
      hint={given}
    >
      <JsonTree label={`Arguments of ${name}`} value={parseJson(given) ?? given} />
    </Folded>
  );
}

/** The longest text that stands beside a folded part, in characters. */
const longestHint = 120;

interface FoldedProps {
  readonly title: ComponentChildren;
  /** The beginning of what is folded. */
  readonly hint: string;
  readonly children: ComponentChildren;
}

function Folded({ title, hint, children }: FoldedProps): VNode {
  return (
    <details class="folded">
      <summary>
        {title} <span class="code">{hint.slice(0, longestHint)}</span>
      </summary>
      {children}
    </details>
  );
}
