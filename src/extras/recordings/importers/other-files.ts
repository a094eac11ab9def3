import { isObject } from "../../../core/schema/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** A kind of file that cannot be imported. */
interface OtherFile {
  /** The kind in words, as messages say after "it is". */
  readonly words: string;
  readonly is: (value: Json, path: string) => boolean;
  /** How to get importable data from the tool that wrote the file. */
  readonly advice?: string;
}

function hasObjects(value: Json, ...keys: readonly string[]): boolean {
  return keys.some((key) => isObject(value[key]));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/**
 * The files that people try to import by mistake, recognised by what only such files have. No importable file is among
 * them.
 */
const otherFiles: readonly OtherFile[] = [
  {
    words: "a lockfile of npm",
    is: (value) => typeof value["lockfileVersion"] === "number",
  },
  {
    words: "a package.json of npm",
    is: (value, path) =>
      /(?:^|[\\/])package\.json$/.test(path) ||
      (isText(value["name"]) &&
        isText(value["version"]) &&
        hasObjects(value, "dependencies", "devDependencies", "peerDependencies", "scripts")) ||
      (hasObjects(value, "dependencies", "devDependencies") && hasObjects(value, "scripts")),
  },
  {
    words: "a composer.json of PHP",
    is: (value, path) =>
      /(?:^|[\\/])composer\.json$/.test(path) ||
      (hasObjects(value, "require", "require-dev") &&
        (isText(value["name"]) || "autoload" in value)),
  },
  {
    words: "a lockfile of composer",
    is: (value) => isText(value["content-hash"]) && Array.isArray(value["packages"]),
  },
  {
    words: "a configuration of TypeScript",
    is: (value, path) =>
      hasObjects(value, "compilerOptions") || /(?:^|[\\/])[tj]sconfig[^\\/]*\.json$/.test(path),
  },
  {
    words: "an environment of Postman",
    is: (value) =>
      Array.isArray(value["values"]) &&
      ("_postman_variable_scope" in value || "_postman_exported_at" in value),
    advice: "Export the collection itself, with its saved answers.",
  },
  {
    words: "a contract of Pact",
    is: (value) =>
      isObject(value["consumer"]) &&
      isObject(value["provider"]) &&
      ["interactions", "messages"].some((key) => Array.isArray(value[key])),
    advice: "Export the API as OpenAPI, or record its requests: backlot record.",
  },
  {
    words: "an export of Insomnia",
    is: (value) =>
      (value["_type"] === "export" && Array.isArray(value["resources"])) ||
      /insomnia\.rest/.test(String(value["type"])),
    advice: "Export the API as OpenAPI, or its requests as a HAR file.",
  },
  {
    words: "a collection of Bruno",
    is: (value, path) =>
      /[\\/]?bruno\.json$/.test(path) ||
      (Array.isArray(value["items"]) &&
        ("brunoConfig" in value || hasKinds(value["items"], /^(?:http|graphql|folder)/))),
    advice:
      "Export the API as OpenAPI, or its requests as a Postman collection with saved answers.",
  },
  {
    words: "a collection of Hoppscotch",
    is: (value) =>
      "v" in value && Array.isArray(value["folders"]) && Array.isArray(value["requests"]),
    advice: "Export the API as OpenAPI, or its requests as a HAR file.",
  },
  {
    words: "an environment of Hoppscotch",
    is: (value) => "v" in value && Array.isArray(value["variables"]) && isText(value["name"]),
  },
  {
    words: "a file of Docker Compose",
    is: (value, path) =>
      isYaml(path) && hasObjects(value, "services") && isImages(value["services"]),
  },
  {
    words: "a workflow of GitHub",
    is: (value, path) =>
      isYaml(path) && hasObjects(value, "jobs") && ("on" in value || "name" in value),
  },
  {
    words: "a manifest of Kubernetes",
    is: (value) => isText(value["apiVersion"]) && isText(value["kind"]),
  },
  {
    words: "an Arazzo document",
    is: (value) => isText(value["arazzo"]),
  },
  {
    words: "a trace of Chrome",
    is: (value) => Array.isArray(value["traceEvents"]),
  },
  {
    words: "a source map",
    is: (value) => isText(value["mappings"]) && Array.isArray(value["sources"]),
  },
  {
    words: "an AsyncAPI document",
    is: (value) => isText(value["asyncapi"]),
  },
  {
    words: "a schema of GraphQL",
    is: (value) =>
      hasObjects(value, "__schema") || (isObject(value["data"]) && "__schema" in value["data"]),
  },
  {
    words: "a JSON Schema",
    is: (value) =>
      /json-schema\.org\//.test(String(value["$schema"])) ||
      (value["type"] === "object" && hasObjects(value, "properties")) ||
      (hasObjects(value, "$defs") && Object.keys(value).every((key) => /^(?:\$|title$)/.test(key))),
  },
  {
    words: "GeoJSON",
    is: (value) => value["type"] === "FeatureCollection" && Array.isArray(value["features"]),
  },
  {
    words: "a web app manifest",
    is: (value, file) => isText(value["start_url"]) || file.endsWith(".webmanifest"),
  },
  {
    words: "a file of translations",
    is: (value, file) => isOfLanguage(file) && isAllTexts(value),
  },
];

function hasKinds(items: unknown, kind: RegExp): boolean {
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  return (
    list.length > 0 &&
    list.every((item) => isObject(item) && kind.test(String(item["type"])) && "seq" in item)
  );
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

function isImages(services: unknown): boolean {
  return (
    isObject(services) &&
    Object.values(services).some((one) => isObject(one) && ("image" in one || "build" in one))
  );
}

const languages =
  "ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|is|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh";

/** Whether a file's name is that of a language: `en.json`, `pt-BR.json`, `locales/en/common.json`. */
function isOfLanguage(file: string): boolean {
  const language = `(?:${languages})(?:[-_][A-Za-z]{2,4})?`;
  return new RegExp(
    `(?:^|[\\\\/])(?:${language}\\.json|(?:locales?|i18n|lang|translations?)[\\\\/].*|(?:translations?|messages)[^\\\\/]*\\.json)$`,
  ).test(file);
}

function isAllTexts(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every(isAllTexts);
  return isText(value);
}

/** A sentence about a file that cannot be imported, and what to do instead. Undefined: the file is of no known kind. */
export function describeOtherFile(value: unknown, file: string): string | undefined {
  // Some tools write a list of documents, so the first is looked at.
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(one)) return undefined;
  const found = otherFiles.find(({ is }) => is(one, file));
  if (found === undefined) return undefined;
  return found.advice === undefined
    ? `it is ${found.words}.`
    : `it is ${found.words}. ${found.advice}`;
}
