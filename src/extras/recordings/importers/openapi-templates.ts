import type { JsonObject, JsonValue } from "../../../core/schema/json.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { numberRange } from "./openapi-numbers.ts";
import { valueOfSchema } from "./openapi-values.ts";
import { literalTemplate, whyUnusable } from "./usable-values.ts";

/** What makes a value: a template with faker, or the value itself. */
type Made = JsonValue;

function fake(method: string, more = ""): string {
  return `{{ '${method}' | faker${more} }}`;
}

const byFormat: Readonly<Record<string, string>> = {
  uuid: fake("string.uuid"),
  email: fake("internet.exampleEmail"),
  date: fake("date.past", " | date: '%Y-%m-%d'"),
  "date-time": fake("date.past", " | date: '%Y-%m-%dT%H:%M:%SZ'"),
  time: fake("date.past", " | date: '%H:%M:%S'"),
  uri: fake("internet.url"),
  url: fake("internet.url"),
  hostname: fake("internet.domainName"),
  ipv4: fake("internet.ipv4"),
  ipv6: fake("internet.ipv6"),
  password: fake("internet.password"),
  byte: "QmFja2xvdA==",
};

/** Templates by the end of a name, whose words are joined without separators. */
const byName: readonly (readonly [name: RegExp, template: string])[] = [
  [/email$/, fake("internet.exampleEmail")],
  [/firstname$|givenname$/, fake("person.firstName")],
  [/lastname$|familyname$|surname$/, fake("person.lastName")],
  [/username$|login$|nickname$/, fake("internet.username")],
  [
    /(?:full|user|author|owner|customer|person|contact)name$|^(?:author|owner|customer)$/,
    fake("person.fullName"),
  ],
  [/(?:company|organi[sz]ation|brand)(?:name)?$/, fake("company.name")],
  [/^name$|productname$|(?<=item)name$/, fake("commerce.productName")],
  [/phone(?:number)?$|mobile$/, fake("phone.number")],
  [/city$|town$/, fake("location.city")],
  [/countrycode$/, fake("location.countryCode")],
  [/country$/, fake("location.country")],
  [/(?:zip|post(?:al)?)(?:code)?$/, fake("location.zipCode")],
  [/street$|address$/, fake("location.streetAddress")],
  [/currency(?:code)?$/, fake("finance.currencyCode")],
  [/(?:url|link|href|website|homepage)s?$/, fake("internet.url")],
  [/(?:image|photo|picture|avatar|thumbnail)$/, fake("image.url")],
  [/(?:date|(?:created|updated|modified|deleted)at)$/, byFormat["date-time"] ?? ""],
  [/title$|subject$|headline$/, fake("lorem.words")],
  [/description$|summary$|comment$|message$|text$|body$|note$/, fake("lorem.sentence")],
  [/slug$/, fake("lorem.slug")],
  [/color$|colour$/, fake("color.human")],
];

/** The template of a column whose values all differ. */
export function keyTemplate({ type, format }: JsonObject, name: string): Made {
  if (type === "integer" || type === "number") return "{{ number }}";
  if (format === "uuid" || /^(?:id|uuid|guid)$/i.test(name)) return byFormat["uuid"] ?? "";
  return `${fake("lorem.slug", ": 2")}-{{ number }}`;
}

/** A template or a value that suits a schema, by its enum, format, name and type. Null: none is known. */
export function valueTemplate(schema: JsonObject, name: string, document: OpenApiDocument): Made {
  const fixed = fixedValues(schema);
  if (fixed !== undefined) return choiceTemplate(fixed);
  const type = typeOf(schema);
  switch (type) {
    case "boolean":
      return fake("datatype.boolean");
    case "integer":
    case "number":
      return numberTemplate({ ...schema, type }, name);
    case "string":
      return textTemplate(schema, name, document);
    case "array":
      return isAtLeast(1, schema["minItems"]) ? madeValue(schema, document) : [];
    case "object":
      return madeValue(schema, document);
    default:
      return schemaSaysNothing(schema) ? textByName(name) : madeValue(schema, document);
  }
}

/** The type of a schema's values. Of several types, the first that is not null. */
function typeOf({ type }: JsonObject): unknown {
  return [type].flat().find((one) => one !== "null");
}

/** The values that a schema lists, without those that no row can have. Undefined: the schema lists none. */
export function fixedValues({
  const: only,
  enum: choices,
}: JsonObject): readonly JsonValue[] | undefined {
  const listed = only === undefined ? choices : [only];
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  return listed.filter((value) => whyUnusable(value) === undefined) as JsonValue[];
}

/** Whether a schema allows any value. */
function schemaSaysNothing(schema: JsonObject): boolean {
  const telling = ["type", "not", "properties", "items", "allOf", "anyOf", "oneOf", "$ref", "if"];
  return telling.every((key) => !Object.hasOwn(schema, key));
}

function madeValue(schema: JsonObject, document: OpenApiDocument): Made {
  const value = valueOfSchema(schema, document);
  return (value === undefined ? undefined : literalTemplate(value)) ?? null;
}

function choiceTemplate(all: readonly JsonValue[]): Made {
  const choices = all.filter((one) => one !== null);
  const isOfOneType = new Set(choices.map((one) => typeof one)).size === 1;
  const texts = choices.map(String);
  if (!isOfOneType || texts.some((text) => !/^[\w .:/@+-]+$/.test(text))) {
    return literalTemplate(choices[0] ?? null) ?? null;
  }
  return `{% assign all = '${texts.join("|")}' | split: '|' %}${fake("helpers.arrayElement", ": all")}`;
}

/** The length below which a limit matters, since most texts of faker are shorter. */
const usualLength = 40;

function textTemplate(schema: JsonObject, name: string, document: OpenApiDocument): Made {
  const { format, pattern, minLength, maxLength } = schema;
  const known = byFormat[String(format)];
  if (known !== undefined) return known;
  if (typeof pattern === "string" || isAtLeast(2, minLength)) {
    const value = valueOfSchema(schema, document);
    const template = value === undefined ? undefined : literalTemplate(value);
    if (template !== undefined) return template;
  }
  const template = textByName(name);
  const isShort = typeof maxLength === "number" && maxLength >= 0 && maxLength < usualLength;
  return isShort
    ? template.replace(/ \}\}$/, ` | slice: 0, ${Math.floor(maxLength)} }}`)
    : template;
}

function textByName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const [, named] = byName.find(([pattern]) => pattern.test(plain)) ?? [];
  return named ?? fake("lorem.words");
}

function isAtLeast(least: number, value: unknown): boolean {
  return typeof value === "number" && value >= least;
}

function numberTemplate(schema: JsonObject, name: string): Made {
  const { type, minimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const isFree = [minimum, maximum, exclusiveMaximum, multipleOf].every((one) => one === undefined);
  if (type === "number" && isFree && /price|amount|cost|total/i.test(name)) {
    return fake("commerce.price");
  }
  const range = numberRange(schema);
  if (range === undefined) return null;
  const { least, most, times, divisor } = range;
  const steps = [
    ...(least === 0 ? [] : [` | plus: ${least}`]),
    ...(times === 1 ? [] : [` | times: ${times}`]),
    ...(divisor === 1 ? [] : [` | divided_by: ${divisor}`]),
  ];
  return fake("number.int", `: ${most - least}${steps.join("")}`);
}
