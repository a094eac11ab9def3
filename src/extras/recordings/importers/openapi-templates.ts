import type { JsonObject, JsonValue } from "../../../core/schema/json.ts";

/** How a value is made up: a template with faker, or the value itself. */
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

/** By the end of a name, whose words are joined by nothing. */
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

/** A value that suits a schema, by its enum, format, name and type. */
export function valueTemplate(schema: JsonObject, name: string): Made {
  const { enum: choices, const: only, type: given, format, minimum, maximum } = schema;
  if (only !== undefined) return only as JsonValue;
  if (Array.isArray(choices) && choices.length > 0) return choiceTemplate(choices);
  const type = [given].flat().find((one) => one !== "null");
  if (type === "boolean") return fake("datatype.boolean");
  if (type === "integer" || type === "number")
    return numberTemplate({ type, minimum, maximum }, name);
  if (type === "array") return [];
  if (type !== "string") return type === undefined && format === undefined ? null : {};
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const [, named] = byName.find(([pattern]) => pattern.test(plain)) ?? [];
  return byFormat[String(format)] ?? named ?? fake("lorem.words");
}

function choiceTemplate(choices: readonly unknown[]): Made {
  const texts = choices.filter((one) => one !== null).map(String);
  if (texts.some((text) => !/^[\w .:/@+-]+$/.test(text))) return (choices[0] ?? null) as JsonValue;
  return `{% assign all = '${texts.join("|")}' | split: '|' %}${fake("helpers.arrayElement", ": all")}`;
}

function numberTemplate({ type, minimum, maximum }: JsonObject, name: string): Made {
  const least = typeof minimum === "number" ? Math.ceil(minimum) : 0;
  const most = typeof maximum === "number" ? Math.floor(maximum) : least + 100;
  const isMoney = /price|amount|cost|total/i.test(name) && maximum === undefined;
  if (type === "number" && isMoney) return fake("commerce.price");
  return fake("number.int", `: ${Math.max(0, most - least)} | plus: ${least}`);
}
