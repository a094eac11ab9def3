import { isObject, type JsonObject, type JsonPath } from "../../../core/schema/json.ts";
import type { Result } from "../../../core/errors/result.ts";
import type { Tell } from "./imported.ts";

/**
 * A file that another one refers to: its name in messages and further references, and its value or why it cannot be
 * read.
 */
export interface OtherFileRead {
  readonly name: string;
  readonly content: Result<unknown, string>;
}

/**
 * Reads a file by a reference such as `../models/pet.yaml`. `from` is the file that has the reference. Undefined: the
 * document.
 */
export type ReadOtherFile = (reference: string, from: string | undefined) => Promise<OtherFileRead>;

/**
 * A document with the files that it refers to. Each reference begins with the name of a file. Without a name, it means
 * the document.
 */
export interface LinkedDocument {
  readonly root: JsonObject;
  readonly files: ReadonlyMap<string, unknown>;
}

/** A reference to another file. */
interface OpenLink {
  readonly holder: Record<string, unknown>;
  readonly reference: string;
  /** The file that has the reference. Undefined: the document. */
  readonly from: string | undefined;
  readonly path: JsonPath;
}

/** Copies a document together with the files that it refers to. Files that cannot be read get a remark. */
export async function linkDocument(
  given: JsonObject,
  readOther: ReadOtherFile,
  tell: Tell,
): Promise<LinkedDocument> {
  const links: OpenLink[] = [];
  const copies = new Map<object, unknown>();
  const root = linkedCopy(given, { from: undefined, links, copies }, []);
  const files = new Map<string, unknown>();
  // The list grows with each file that is read.
  for (const { holder, reference, from, path } of links) {
    const [file = "", pointer = ""] = reference.split("#", 2);
    const place = from === undefined ? path : [];
    if (isAddress.test(file)) {
      tell(place, `left out: nothing is read from the network, such as ${JSON.stringify(file)}`);
      continue;
    }
    const { name, content } = await readOther(file, from);
    if (content.ok && !files.has(name)) {
      files.set(name, undefined);
      files.set(name, linkedCopy(content.value, { from: name, links, copies: new Map() }, []));
    }
    if (content.ok) holder["$ref"] = `${name}#${pointer}`;
    else tell(place, `left out: ${JSON.stringify(file)} cannot be read: ${content.error}`);
  }
  return { root: isObject(root) ? root : {}, files };
}

/** The deepest nesting that is copied. Deeper values describe no row. */
const deepest = 500;

const isAddress = /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i;

interface CopyContext {
  readonly from: string | undefined;
  readonly links: OpenLink[];
  /** The copies of objects. With YAML's aliases one object occurs in many places, and its copy does, too. */
  readonly copies: Map<object, unknown>;
}

function linkedCopy(value: unknown, context: CopyContext, path: JsonPath): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (path.length > deepest) return null;
  const known = context.copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    context.copies.set(value, list);
    for (const [index, item] of value.entries()) {
      list.push(linkedCopy(item, context, [...path, index]));
    }
    return list;
  }
  const copy: Record<string, unknown> = {};
  context.copies.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    const copied = linkedCopy(item, context, [...path, key]);
    Object.defineProperty(copy, key, { value: copied, ...ownProperty });
  }
  const { $ref: reference } = copy;
  if (typeof reference === "string") addLink(copy, reference, context, path);
  return copy;
}

/** Makes an ordinary property of any key, even of `__proto__`. */
const ownProperty = { enumerable: true, writable: true, configurable: true };

function addLink(
  holder: Record<string, unknown>,
  reference: string,
  { from, links }: CopyContext,
  path: JsonPath,
): void {
  if (!reference.startsWith("#")) links.push({ holder, reference, from, path });
  else if (from !== undefined) holder["$ref"] = `${from}${reference}`;
}
