import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { JsonSchema, Refer, Schema } from "../../src/core/schema/schema.ts";

// Which texts a value can be, by the place of the value: `messages[].role` → system, user and so on. One reader takes
// them from the type declarations of the SDK `openai`, the other from a schema of ours.

/** What a value can have within it. */
export interface Possible {
  /** The texts at each place. A place where any text goes is not among them. */
  readonly texts: ReadonlyMap<string, ReadonlySet<string>>;
  /** The keys of the objects at each place. A place where objects may have any keys is not among them. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

type Sets = Map<string, Set<string>>;

function addTo(sets: Sets, place: string, value: string): void {
  sets.set(place, (sets.get(place) ?? new Set()).add(value));
}

function withoutPlaces(sets: Sets, places: ReadonlySet<string>): Sets {
  return new Map([...sets].filter(([place]) => !places.has(place)));
}

/** A declared type: the types that it can be, as the declaration writes them, and the place of its name. */
interface Declared {
  readonly namespace: string;
  /** The type of each property; for an alias, its own type under the name "". */
  readonly properties: Map<string, string>;
  readonly bases: readonly string[];
}

const files = [
  "resources/shared.d.ts",
  "resources/chat/completions/completions.d.ts",
  "resources/responses/responses.d.ts",
];

/** The declarations of the package `openai` that a folder has installed. */
export function readSdkTypes(folder: string): ReadonlyMap<string, Declared> {
  const entry = createRequire(join(folder, "package.json")).resolve("openai");
  const declared = new Map<string, Declared>();
  for (const file of files) readDeclarations(join(dirname(entry), file), declared);
  return declared;
}

/** What a line of a generated file opens or says. */
type Line =
  | { readonly kind: "namespace"; readonly name: string }
  | { readonly kind: "interface"; readonly name: string; readonly bases: readonly string[] }
  | { readonly kind: "alias"; readonly name: string; readonly type: string }
  | { readonly kind: "property"; readonly name: string; readonly type: string }
  /** A property whose type is an inline object, or another block. */
  | { readonly kind: "block"; readonly name: string | undefined }
  | { readonly kind: "end" };

/** Reads a line of a generated file, which has one declaration or one property in each. */
function readLine(line: string): Line | undefined {
  if (line.startsWith("}")) return { kind: "end" };
  return line.endsWith("{") ? readOpening(line) : readStatement(line);
}

function readOpening(line: string): Line {
  const [, kind, name = "", bases] =
    /^(?:export )?(?:declare )?(namespace|interface) (\w+)(?: extends ([\w., ]+))? \{$/.exec(
      line,
    ) ?? [];
  if (kind === "namespace") return { kind, name };
  if (kind === "interface") return { kind, name, bases: bases?.split(", ") ?? [] };
  return { kind: "block", name: /^(\w+)\??: (?:Array<)?\{$/.exec(line)?.[1] };
}

function readStatement(line: string): Line | undefined {
  const [, alias, own = ""] = /^(?:export )?type (\w+) = (.+);$/.exec(line) ?? [];
  if (alias !== undefined) return { kind: "alias", name: alias, type: own };
  const [, name, type = ""] = /^(\w+)\??: (.+);$/.exec(line) ?? [];
  return name === undefined ? undefined : { kind: "property", name, type };
}

function readDeclarations(file: string, declared: Map<string, Declared>): void {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  const open: { readonly name: string; readonly into: Declared | undefined }[] = [];
  for (const line of text.split("\n").map((one) => readLine(one.trim()))) {
    const namespace = open.map(({ name }) => name).join(".");
    const into = open.at(-1)?.into;
    switch (line?.kind) {
      case "interface": {
        const it = { namespace, properties: new Map(), bases: line.bases };
        declared.set(joined(namespace, line.name), it);
        open.push({ name: line.name, into: it });
        break;
      }
      case "alias": {
        const properties = new Map([["", line.type]]);
        declared.set(joined(namespace, line.name), { namespace, properties, bases: [] });
        break;
      }
      case "namespace":
        open.push({ name: line.name, into: undefined });
        break;
      case "property":
        into?.properties.set(line.name, line.type);
        break;
      case "block":
        if (line.name !== undefined) into?.properties.set(line.name, "object");
        open.push({ name: "", into: undefined });
        break;
      case "end":
        open.pop();
        break;
      case undefined:
    }
  }
}

function joined(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}.${name}`;
}

/** What a declared type can have within it. */
export function possibleInSdk(types: ReadonlyMap<string, Declared>, root: string): Possible {
  const texts: Sets = new Map();
  const keys: Sets = new Map();
  const anyText = new Set<string>();
  const visitName = (name: string, place: string, above: readonly string[]): void => {
    const found = types.get(name);
    if (found === undefined || above.includes(name)) return;
    const { namespace, properties, bases } = found;
    for (const base of bases) visitType(base, place, { namespace, above: [...above, name] });
    for (const [key, type] of properties) {
      if (key !== "") addTo(keys, place, key);
      visitType(type, joinedPlace(place, key), { namespace, above: [...above, name] });
    }
  };
  const visitType = (
    type: string,
    place: string,
    { namespace, above }: { readonly namespace: string; readonly above: readonly string[] },
  ): void => {
    for (const option of optionsOf(type)) {
      const [, text] = /^'([^']*)'$/.exec(option) ?? [];
      const [, item] = /^Array<(.+)>$/.exec(option) ?? [];
      if (text !== undefined) addTo(texts, place, text);
      else if (item !== undefined) visitType(item, `${place}[]`, { namespace, above });
      else if (option === "string" || option === "(string & {})") anyText.add(place);
      else {
        const name = resolvedName(types, option, namespace);
        if (name !== undefined) visitName(name, place, above);
      }
    }
  };
  visitName(root, body, []);
  return { texts: withoutPlaces(texts, anyText), keys };
}

/** The place of a request's whole body. */
const body = "the body";

function joinedPlace(place: string, key: string): string {
  if (place === body && key !== "") return key;
  return key === "" ? place : `${place}.${key}`;
}

/** The options of a union, at its top level. */
function optionsOf(type: string): readonly string[] {
  const options: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= type.length; at++) {
    const sign = type[at];
    if (sign === "<" || sign === "(" || sign === "{") depth++;
    else if (sign === ">" || sign === ")" || sign === "}") depth--;
    else if (sign === undefined || (sign === "|" && depth === 0)) {
      options.push(type.slice(start, at).trim());
      start = at + 1;
    }
  }
  return options;
}

/** The whole name of what a name means in a namespace. Those of other files have the name of an import before them. */
function resolvedName(
  types: ReadonlyMap<string, Declared>,
  written: string,
  namespace: string,
): string | undefined {
  const name = written.replace(/^(?:Shared|\w+API)\./, "");
  const around = namespace === "" ? [] : namespace.split(".");
  return [...around, ""]
    .map((_, outer) => joined(around.slice(0, around.length - outer).join("."), name))
    .find((candidate) => types.has(candidate));
}

/** What a value that fits a schema can have within it. */
export function possibleInSchema(schema: Schema<unknown>): Possible {
  const texts: Sets = new Map();
  const keys: Sets = new Map();
  const open = new Set<string>();
  const visit = (json: JsonSchema, place: string): void => {
    for (const text of [...listOf(json["enum"]), json["const"]]) {
      if (typeof text === "string") addTo(texts, place, text);
    }
    for (const option of listOf(json["anyOf"])) visit(schemaOf(option), place);
    if (json["items"] !== undefined) visit(schemaOf(json["items"]), `${place}[]`);
    if (json["type"] === "object" && json["additionalProperties"] !== false) open.add(place);
    for (const [key, value] of Object.entries(schemaOf(json["properties"]))) {
      addTo(keys, place, key);
      visit(schemaOf(value), joinedPlace(place, key));
    }
  };
  visit(inlineSchema(schema), body);
  return { texts, keys: withoutPlaces(keys, open) };
}

/** A schema as JSON Schema without references. */
export function inlineSchema(schema: Schema<unknown>): JsonSchema {
  const inline: Refer = (part) => part.json(inline);
  return inline(schema);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** What is in one and not in the other, as lines, at the places that both limit. */
export function missingFrom(narrow: Possible, wide: Possible): readonly string[] {
  const lines = (
    kind: "text" | "key",
    wanted: Possible["texts"],
    given: Possible["texts"],
  ): readonly string[] =>
    [...wanted].flatMap(([place, values]) => {
      const known = given.get(place);
      const missing = known === undefined ? [] : [...values].filter((value) => !known.has(value));
      return missing.map((value) => `${kind} ${value} at ${place}`);
    });
  return [...lines("text", wide.texts, narrow.texts), ...lines("key", wide.keys, narrow.keys)];
}
