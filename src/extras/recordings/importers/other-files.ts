import { isObject } from "../../../core/schema/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** A kind of JSON file that has no rows, scripts or recordings for fixtures. */
interface OtherFile {
  /** In words, for messages: `it is …`. */
  readonly words: string;
  readonly is: (value: Json, path: string) => boolean;
  /** How what is in it can be imported after all. */
  readonly advice?: string;
}

function hasObjects(value: Json, ...keys: readonly string[]): boolean {
  return keys.some((key) => isObject(value[key]));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** The files that people have beside their data, by what only such files have. */
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
    words: "a collection of Postman",
    is: ({ info, item }) => isObject(info) && Array.isArray(item) && "schema" in info,
    advice: "Export the API as OpenAPI, or record its requests with a proxy as a HAR file.",
  },
  {
    words: "an environment of Mockoon",
    is: (value) =>
      Array.isArray(value["routes"]) && ("endpointPrefix" in value || "lastMigration" in value),
    advice: "Export it from Mockoon as OpenAPI.",
  },
  {
    words: "a mapping of WireMock",
    is: (value) => {
      const { mappings } = value;
      const all: readonly unknown[] = Array.isArray(mappings) ? mappings : [value];
      return all.length > 0 && all.every((one) => isObject(one) && isMapping(one));
    },
  },
  {
    words: "an export of Insomnia",
    is: (value) => value["_type"] === "export" && Array.isArray(value["resources"]),
    advice: "Export the API as OpenAPI, or its requests as a HAR file.",
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

function isMapping({ request, response }: Json): boolean {
  return (
    isObject(request) &&
    isObject(response) &&
    Object.keys(request).some((key) => key.startsWith("url"))
  );
}

const languages =
  "ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|is|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh";

/** Whether a file is named as those of languages are: `en.json`, `pt-BR.json`, `locales/en/common.json`. */
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

/** What a file is that has nothing for fixtures, in words, and what to do instead. Undefined: nothing that is known. */
export function otherFile(value: unknown, file: string): string | undefined {
  if (!isObject(value)) return undefined;
  const found = otherFiles.find(({ is }) => is(value, file));
  if (found === undefined) return undefined;
  return found.advice === undefined
    ? `it is ${found.words}.`
    : `it is ${found.words}. ${found.advice}`;
}
