import { isSecretHeader } from "../../../core/http/secret-names.ts";

/** A value, and the name beside it. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

const nameMember =
  /"(?:name|key|k|id|field|label|title|header|param|parameter|property|variable|var|env|setting|option)"/
    .source;
const valueMember = /"(?:value|val|v|content|contents|data|text|current|default|secret)"/.source;
/** The quote that begins an item of a list. */
const itemStart = /"(?<=[[,]\s{0,100}")/.source;
const text = /"((?:[^"\\]|\\.){1,4000})"/.source;
/** The members of the same object between a name and its value. */
const between =
  /(?:\s*,\s*"[^"\\]{1,60}"\s*:\s*(?:"(?:[^"\\]|\\.){0,400}"|[\w.+-]{1,40}|\[\]|\{\})){0,8}\s*,\s*/
    .source;

type Pattern = readonly [pattern: RegExp, name: number, value: number];

const pairs: readonly Pattern[] = [
  // {"name": "password", "value": "…"}, in this order and in reverse.
  [new RegExp(`${nameMember}\\s*:\\s*${text}${between}${valueMember}\\s*:\\s*${text}`, "gi"), 1, 2],
  [new RegExp(`${valueMember}\\s*:\\s*${text}${between}${nameMember}\\s*:\\s*${text}`, "gi"), 2, 1],
  // ["password", "…"], also within a longer list: ["--password", "…"].
  [new RegExp(`${text.replace('"', itemStart)}\\s*,\\s*(?=${text}\\s*[\\],])`, "g"), 1, 2],
];

/** A part of a multipart body that is quoted in a text. */
const part: Pattern = [
  /;\s*name="?([^"\r\n;]{1,100})"?[^\r\n]*\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n([^\r\n]{1,4000})(?=\r?\n--)/gi,
  1,
  2,
];

/** The values in a text that have names beside them which mean a key, a token or a password. */
export function* valuesBesideNames(given: string): Generator<NamedValue> {
  // A text that begins with two dashes is itself a multipart body, which is read by its parts elsewhere.
  const patterns = given.startsWith("--") ? pairs : [...pairs, part];
  for (const [pattern, nameAt, valueAt] of patterns) {
    for (const found of given.matchAll(pattern)) {
      const name = found[nameAt] ?? "";
      if (name.length <= longestName && isSecretHeader(name)) {
        yield { name, value: found[valueAt] ?? "" };
      }
    }
  }
  yield* columnsOf(given);
}

const longestName = 100;
const separators = [",", ";", "\t", "|"] as const;
const columnName = /^\s*"?[A-Za-z_][\w .-]{0,40}"?\s*$/;
const beforeString = /^.*[:[,{]\s*"(?=[^",:]+[,;\t|][^":]*$)/;
const afterString = /"\s*[\]},].*$/;

function unquoted(cell: string): string {
  return cell.trim().replace(/^"/, "").replace(/"$/, "");
}

/** The values in the columns of CSV whose names mean secrets. */
function* columnsOf(given: string): Generator<NamedValue> {
  // The CSV may be inside a JSON string, with other members before and after.
  const lines = given
    .split(/\r?\n/)
    .map((line) => line.replace(beforeString, "").replace(afterString, ""));
  for (const separator of separators) {
    let names: readonly string[] = [];
    for (const line of lines) {
      const cells = line.includes(separator) ? line.split(separator) : [];
      if (cells.length < 2) names = [];
      else if (cells.length === names.length) {
        for (const [at, cell] of cells.entries()) {
          const name = names[at] ?? "";
          if (isSecretHeader(name)) yield { name, value: unquoted(cell) };
        }
      } else {
        const isHead = cells.every((cell) => columnName.test(cell));
        names = isHead ? cells.map(unquoted) : [];
      }
    }
  }
}
