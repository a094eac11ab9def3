/** What a page has of the DOM, whose types Node's would clash with. */
interface PageDocument {
  readonly createElement: (name: string) => Record<string, unknown>;
  readonly head: { append: (element: object) => void };
}

/** Adds an element to the page that loads an address. */
export function addElement(tag: string, url: string): void {
  const { document } = globalThis as unknown as { document: PageDocument };
  const [name = "", ...attributes] = tag.split(" ");
  const element = document.createElement(name);
  for (const attribute of attributes) {
    const [key = "", value] = attribute.split("=");
    element[key] = value;
  }
  element[name === "link" ? "href" : "src"] = url;
  document.head.append(element);
}
