import type { AnswerEvent } from "./answer.ts";

/** The events of a `text/event-stream`, in order. Comments, which clients do not see, are left out. */
export function readEvents(text: string): readonly AnswerEvent[] {
  const events: AnswerEvent[] = [];
  let name: string | undefined;
  let data: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const line of lines) {
    if (line === "") {
      if (data.length > 0) events.push({ event: name, data: data.join("\n") });
      name = undefined;
      data = [];
      continue;
    }
    const [field, value] = fieldOf(line);
    if (field === "event") name = value === "" || value === "message" ? undefined : value;
    if (field === "data") data.push(value);
  }
  return events;
}

function fieldOf(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
