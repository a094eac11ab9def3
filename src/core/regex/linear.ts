import { RE2JS } from "re2js";
import { tokensOf } from "./tokens.ts";

/** A match, as `RegExp` returns it. */
export interface Match {
  readonly 0: string;
  readonly index: number;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Matches a text in time proportional to its length. */
export interface LinearExpression {
  readonly test: (text: string) => boolean;
  readonly exec: (text: string, from: number) => Match | null;
}

/**
 * The same expression on a linear engine; undefined if it has look-around, back references or what that engine lacks.
 * Sets and escapes are spelled out as the runtime reads them, letter case included. Without the flag `u` each half of a
 * surrogate pair is a character, and is replaced by a code point that no such text has.
 */
export function linearExpression(source: string, flags: string): LinearExpression | undefined {
  if (/[vy]/.test(flags)) return undefined;
  const names: string[] = [];
  const written: string[] = [];
  for (const token of tokensOf(source, flags)) {
    const [isGroup, name = ""] = /^\((?:\?<([^=!>][^>]*)>)?$/.exec(token) ?? [];
    if (isGroup !== undefined) names.push(name);
    const part = isGroup === undefined ? translated(token, flags) : "(";
    if (part === undefined) return undefined;
    written.push(part);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(written.join(""));
  } catch {
    // The engine refuses very many repetitions.
    return undefined;
  }
  const hasPairs = flags.includes("u");
  const split = (text: string): string =>
    hasPairs ? text : text.replaceAll(/[\ud800-\udfff]/g, (unit) => standIn(unit.charCodeAt(0)));
  const joined = (text: string): string =>
    hasPairs ? text : text.replaceAll(/[\u{10d800}-\u{10dfff}]/gu, (point) => original(point));
  return {
    test: (text) => compiled.test(split(text)),
    exec: (text, from) => {
      const read = split(text);
      const matcher = compiled.matcher(read);
      if (!matcher.find(split(text.slice(0, from)).length)) return null;
      const groups = names.flatMap((name, at): [string, string | undefined][] => {
        const found = matcher.group(at + 1);
        return name === "" ? [] : [[name, found === null ? undefined : joined(found)]];
      });
      return {
        0: joined(matcher.group(0) ?? ""),
        index: joined(read.slice(0, matcher.start())).length,
        ...(groups.length > 0 && { groups: Object.fromEntries(groups) }),
      };
    },
  };
}

const shift = 0x10_0000;

function standIn(unit: number): string {
  return String.fromCodePoint(unit + shift);
}

function original(point: string): string {
  return String.fromCharCode((point.codePointAt(0) ?? shift) - shift);
}

/** A token in the engine's syntax; undefined: it has none. */
function translated(token: string, flags: string): string | undefined {
  if (/^(?:\(\?:|[)|]|[*+?{].*)$/.test(token) && token !== "{") return token;
  if (/^[$^]$/.test(token)) return flags.includes("m") ? undefined : token;
  if (/^\\b$/i.test(token)) return /i/.test(flags) && /u/.test(flags) ? undefined : token;
  // Look-around, inline flags, back references, octal escapes, and escapes that need the flag `u`.
  if (/^(?:\(\?|\\(?:\d|k))/.test(token) && token !== "\\0") return undefined;
  if (/^\\(?:u\{|p)/i.test(token) && !flags.includes("u")) return undefined;
  return /^[\w ]$/.test(token) && !flags.includes("i") ? token : setOf(token, flags);
}

const sets = new Map<string, string>();

/** The characters that a set, an escape or a character matches in the runtime, as a set of ranges. */
function setOf(token: string, flags: string): string {
  // The flag `s` affects only the dot.
  const own = flags.replaceAll(token === "." ? /[^isu]/g : /[^iu]/g, "");
  const known = sets.get(`${own} ${token}`);
  if (known !== undefined) return known;
  const hasPairs = own.includes("u");
  const runs = new RegExp(`(?:${token})+`, `${own}g`);
  const ranges = segments(hasPairs).flatMap(({ text, by }) =>
    Array.from(text.matchAll(runs), ([run]) => {
      const first = (hasPairs ? run.codePointAt(0) : run.charCodeAt(0)) ?? 0;
      const pair = hasPairs ? run.codePointAt(run.length - 2) : undefined;
      const last = pair !== undefined && pair > 0xffff ? pair : run.charCodeAt(run.length - 1);
      return `\\x{${(first + by).toString(16)}}-\\x{${(last + by).toString(16)}}`;
    }),
  );
  const set = ranges.length === 0 ? "[^\\x{0}-\\x{10ffff}]" : `[${ranges.join("")}]`;
  sets.set(`${own} ${token}`, set);
  return set;
}

interface Segment {
  readonly text: string;
  /** The offset of its characters in the engine. */
  readonly by: number;
}

/** All characters in order, the surrogates in their own segment. Cached, since this takes 50 ms. */
function segments(hasPairs: boolean): readonly Segment[] {
  return (known[hasPairs ? "points" : "units"] ??= [
    { text: textOf(0, 0xd7ff), by: 0 },
    { text: textOf(0xd800, 0xdfff), by: hasPairs ? 0 : shift },
    { text: textOf(0xe000, hasPairs ? 0x10_ff_ff : 0xffff), by: 0 },
  ]);
}

const known: { points?: readonly Segment[]; units?: readonly Segment[] } = {};

function textOf(first: number, last: number): string {
  let text = "";
  for (let point = first; point <= last; point++) text += String.fromCodePoint(point);
  return text;
}
