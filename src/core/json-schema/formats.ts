import { anyWord } from "./words.ts";

/** Makes texts of a format: a usual one, a short one, and one with at least `least` characters. */
type Format = (random: () => number, least: number) => readonly string[];

function digits(count: number, random: () => number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
}

function between(least: number, most: number, random: () => number): string {
  return String(least + Math.floor(random() * (most - least + 1)));
}

function twoDigits(least: number, most: number, random: () => number): string {
  return between(least, most, random).padStart(2, "0");
}

function date(random: () => number): string {
  return `20${twoDigits(20, 29, random)}-${twoDigits(1, 12, random)}-${twoDigits(1, 28, random)}`;
}

function time(random: () => number): string {
  return [23, 59, 59].map((most) => twoDigits(0, most, random)).join(":");
}

function hex(count: number, random: () => number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join("");
}

function uuid(random: () => number): string {
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return `${hex(8, random)}-${hex(4, random)}-4${hex(3, random)}-${variant}${hex(3, random)}-${hex(12, random)}`;
}

/** A host name of at least `least` characters. */
function longHost(least: number): string {
  const labels = Array.from({ length: Math.ceil(Math.max(0, least - 11) / 61) }, () =>
    "a".repeat(60),
  );
  return [...labels, "example.com"].join(".");
}

const email: Format = (random, least) => [
  `${anyWord(random)}.${digits(2, random)}@example.com`,
  `${anyWord(random)}@example.com`,
  "a@b.co",
  `${"a".repeat(Math.min(64, Math.max(1, least - 12)))}@${longHost(least - 65)}`,
];

const host: Format = (random, least) => [
  `${anyWord(random)}.example.com`,
  "example.com",
  "a.co",
  longHost(least),
];

const address: Format = (random, least) => [
  `https://example.com/${anyWord(random)}`,
  "https://a.co",
  "a:b",
  `https://example.com/${"a".repeat(Math.max(0, least - 20))}`,
];

const formats: Readonly<Record<string, Format>> = {
  date: (random) => [date(random)],
  time: (random) => [`${time(random)}Z`],
  "date-time": (random) => [`${date(random)}T${time(random)}Z`],
  duration: (random) => [`P${between(1, 9, random)}D`, `PT${between(1, 9, random)}H`],
  email,
  "idn-email": email,
  hostname: host,
  "idn-hostname": host,
  ipv4: (random) => [`192.0.2.${between(1, 254, random)}`, "1.1.1.1"],
  ipv6: (random) => [`2001:db8::${between(1, 9, random)}`, "::1"],
  uri: address,
  url: address,
  iri: address,
  "uri-reference": address,
  "iri-reference": address,
  "uri-template": (random) => [`https://example.com/${anyWord(random)}/{id}`],
  uuid: (random) => [uuid(random)],
  guid: (random) => [uuid(random)],
  "json-pointer": (random, least) => [`/${anyWord(random)}`, `/${"a".repeat(least)}`],
  "json-pointer-uri-fragment": (random) => [`#/${anyWord(random)}`],
  "relative-json-pointer": (random, least) => [`0/${anyWord(random)}`, `0/${"a".repeat(least)}`],
  regex: (random, least) => [`^${anyWord(random)}$`, "a".repeat(least)],
  byte: () => ["QmFja2xvdA=="],
  base64: () => ["QmFja2xvdA=="],
};

/** Texts of a format, the most usual ones first. None if the format is unknown. */
export function textsOfFormat(
  format: unknown,
  least: number,
  random: () => number,
): readonly string[] {
  const known = typeof format === "string" && Object.hasOwn(formats, format);
  return known ? (formats[format]?.(random, least) ?? []) : [];
}
