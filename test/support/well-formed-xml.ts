/** What XML allows outside of tags, line ends and tabs aside. */
const text = /^(?:[^<&\p{Cc}\p{Surrogate}\uFFFE\uFFFF]|[\n\r\t]|&(?:amp|lt|gt|quot|apos);)*$/u;
const attribute = /\s+([A-Za-z_][\w.-]*)="((?:[^<&"]|&(?:amp|lt|gt|quot|apos);)*)"/g;

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Reads XML of elements, attributes and text; throws where it is not well-formed. A judge of its own, which guesses nothing. */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, "");
  for (const piece of body.split(/(<[^>]*>)/)) {
    const here = open.at(-1);
    if (here === undefined) throw new Error("closed too often");
    if (!piece.startsWith("<")) {
      if (!text.test(piece)) throw new Error(`bad text: ${piece}`);
      here.text += plain(piece);
    } else if (piece.startsWith("</")) {
      if (piece !== `</${here.name}>`) throw new Error(`${piece} closes ${here.name}`);
      open.pop();
    } else {
      const element = readTag(piece);
      here.children.push(element);
      if (!piece.endsWith("/>")) open.push(element);
    }
  }
  const [only] = root.children;
  if (open.length !== 1 || only === undefined || root.children.length !== 1) {
    throw new Error("not one root");
  }
  return only;
}

function readTag(tag: string): XmlElement {
  const [, name = "", rest = ""] = /^<([a-z]+)(.*?)\/?>$/su.exec(tag) ?? [];
  const attributes: Record<string, string> = {};
  const left = rest.replaceAll(attribute, (_, key: string, value: string) => {
    if (!text.test(value) || Object.hasOwn(attributes, key))
      throw new Error(`bad ${key} in ${tag}`);
    attributes[key] = plain(value);
    return "";
  });
  if (name === "" || left.trim() !== "") throw new Error(`bad tag: ${tag}`);
  return { name, attributes, children: [], text: "" };
}

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function plain(escaped: string): string {
  return escaped.replaceAll(/&(\w+);/g, (_, name: string) => characters[name] ?? "");
}
