/** A part of a line of Markdown: plain text, or text with a style or a link. */
export type Inline =
  | string
  | { readonly kind: "strong" | "em" | "del"; readonly said: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly url: string; readonly said: readonly Inline[] }
  | { readonly kind: "picture"; readonly url: string; readonly name: string };

/**
 * The signs that have a meaning in a line. The text between two signs has at most 1000 characters: without a limit, a
 * text of many signs would take the square of its length.
 */
const signs = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/u,
    /(?<ticks>`+)(?<code>(?!`)[^]{1,1000}?(?<!`))\k<ticks>(?!`)/u,
    /(?<picture>!)?\[(?<label>(?:[^[\]\\]|\\.|\[[^[\]]{0,1000}\]){0,1000})\]\( *<?(?<url>(?:[^\s()<>]|\([^\s()<>]{0,1000}\)){0,2000})>?(?:\s+(?:"[^"]{0,1000}"|'[^']{0,1000}'))? *\)/u,
    /<(?<auto>(?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/u,
    /(?<![\w/])(?<bare>https?:\/\/[^\s<>]{0,2000}[^\s<>.,:;"'!?)\]*_~`])/u,
    /\*\*(?=\S)(?<strong>[^]{0,1000}?[^\s\\])\*\*(?!\*)/u,
    /(?<![\p{L}\p{N}_])__(?=\S)(?<strongToo>[^]{0,1000}?[^\s\\])__(?![\p{L}\p{N}_])/u,
    /\*(?=[^\s*])(?<em>[^]{0,1000}?[^\s*\\])\*(?!\*)/u,
    /(?<![\p{L}\p{N}_])_(?=[^\s_])(?<emToo>[^]{0,1000}?[^\s_\\])_(?![\p{L}\p{N}_])/u,
    /~~(?=\S)(?<del>[^]{0,1000}?\S)~~/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** How deep signs can be nested. Anything deeper is text. */
const deepest = 8;

/** The parts of a text within a block. */
export function inlineOf(text: string, depth = 0): readonly Inline[] {
  if (depth === deepest) return [text];
  const parts: Inline[] = [];
  let from = 0;
  for (;;) {
    // The nested call uses the same expression and moves its `lastIndex`, which is set again here.
    signs.lastIndex = from;
    const sign = signs.exec(text);
    if (sign === null) break;
    if (sign.index > from) parts.push(text.slice(from, sign.index));
    from = sign.index + sign[0].length;
    parts.push(partOf(sign.groups ?? {}, sign[0], depth + 1));
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function partOf(
  groups: Readonly<Record<string, string | undefined>>,
  found: string,
  depth: number,
): Inline {
  const { escaped, code, picture, label, url, auto, bare, del } = groups;
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return { kind: "code", text: code.replace(/^ (.*[^ ].*) $/s, "$1") };
  const address = auto ?? bare;
  if (address !== undefined) return { kind: "link", url: address, said: [address] };
  if (label !== undefined && url !== undefined) {
    if (picture !== undefined) return { kind: "picture", url, name: label };
    return isLink(url) ? { kind: "link", url, said: inlineOf(label, depth) } : found;
  }
  const strong = groups["strong"] ?? groups["strongToo"];
  if (strong !== undefined) return { kind: "strong", said: inlineOf(strong, depth) };
  const em = groups["em"] ?? groups["emToo"];
  if (em !== undefined) return { kind: "em", said: inlineOf(em, depth) };
  return del === undefined ? found : { kind: "del", said: inlineOf(del, depth) };
}

/**
 * Whether an address may become a link. Other schemes may run code, and a relative address would lead into this server.
 */
function isLink(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url);
}
