import { isObject } from "../../../core/schema/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** So many references from one to the next are followed. */
const mostReferences = 20;

/** Follows references within a document. */
export class OpenApiDocument {
  readonly root: Json;

  constructor(root: Json) {
    this.root = root;
  }

  /** What a part of the document is, references followed. Undefined: they lead nowhere, or out of the document. */
  resolve(value: unknown): Json | undefined {
    let found = value;
    for (let step = 0; step < mostReferences; step++) {
      if (!isObject(found)) return undefined;
      const { $ref } = found;
      if (typeof $ref !== "string") return found;
      found = this.#at($ref);
    }
    return undefined;
  }

  /** The name of the schema that a part of the document refers to, where it does. */
  nameOf(value: unknown): string | undefined {
    const { $ref } = isObject(value) ? value : {};
    const [, name] =
      /^#\/components\/schemas\/([^/]+)$/.exec(typeof $ref === "string" ? $ref : "") ?? [];
    return name === undefined ? undefined : unescaped(name);
  }

  #at(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = this.root;
    for (const step of reference.slice(2).split("/").map(unescaped)) {
      if (Array.isArray(found)) found = found[Number(step)];
      else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
      else return undefined;
    }
    return found;
  }
}

/** A step of a JSON pointer in a URI. */
function unescaped(step: string): string {
  const plain = /^(?:[^%]|%[0-9A-Fa-f]{2})*$/.test(step) ? decode(step) : step;
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
