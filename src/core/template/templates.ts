import type { TemplateOptions, Templates } from "./renderer.ts";

export type { TemplateNames, Templates } from "./renderer.ts";

/** Makes the templates of a session. Loads nothing yet, so that programs without templates do not wait. */
export function createTemplates(options: TemplateOptions = {}): Templates {
  let renderer: Promise<Templates> | undefined;
  function load(): Promise<Templates> {
    renderer ??= import("./renderer.ts").then((room) => room.createRenderer(options));
    return renderer;
  }
  return {
    check: async (text, names) =>
      isTemplate(text) ? (await load()).check(text, names) : undefined,
    render: async (text, scope) => (isTemplate(text) ? (await load()).render(text, scope) : text),
    evaluate: async (text, scope) =>
      isTemplate(text) ? (await load()).evaluate(text, scope) : text,
    compile: async (text) => (isTemplate(text) ? (await load()).compile(text) : () => text),
  };
}

/** Whether a text contains template syntax. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}
