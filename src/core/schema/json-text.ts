/** Receives the tokens of a JSON text, in order. Ends are exclusive. */
export interface JsonTokens {
  readonly open: (kind: "array" | "object", start: number) => void;
  readonly close: (end: number) => void;
  /** The name of a member. */
  readonly key: (start: number, end: number) => void;
  /** A value other than an array or an object. */
  readonly value: (kind: "string" | "number" | "word", start: number, end: number) => void;
}

/** Walks over a valid JSON text. Not recursive, so any depth works. */
export function readTokens(text: string, tokens: JsonTokens): void {
  let index = 0;
  while (index < text.length) {
    const mark = text[index] ?? "";
    if (mark === '"') index = readString(text, index, tokens);
    else if (mark === "," || mark === ":" || isSpace(mark)) index += 1;
    else if (mark === "{" || mark === "[") {
      tokens.open(mark === "{" ? "object" : "array", index);
      index += 1;
    } else if (mark === "}" || mark === "]") {
      index += 1;
      tokens.close(index);
    } else {
      index = readWord(text, index, tokens);
    }
  }
}

function isSpace(mark: string): boolean {
  return mark === " " || mark === "\n" || mark === "\r" || mark === "\t";
}

function readString(text: string, start: number, tokens: JsonTokens): number {
  const end = endOfString(text, start);
  if (isKey(text, end)) tokens.key(start, end);
  else tokens.value("string", start, end);
  return end;
}

function readWord(text: string, start: number, tokens: JsonTokens): number {
  let end = start + 1;
  while (end < text.length && /[\w.+-]/.test(text[end] ?? "")) end += 1;
  tokens.value(/[-\d]/.test(text[start] ?? "") ? "number" : "word", start, end);
  return end;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === "\\") first -= 1;
  return (index - first) % 2 === 1;
}

/** Whether a string is a key: only keys are followed by a colon. */
function isKey(text: string, end: number): boolean {
  let index = end;
  while (isSpace(text[index] ?? "")) index += 1;
  return text[index] === ":";
}
