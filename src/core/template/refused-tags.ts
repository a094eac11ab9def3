import type { Liquid } from "./liquid.ts";

/** Tags that put other files into a template. Here a template is one text, and no file is ever read. */
const refusedTags: readonly string[] = ["include", "render", "layout", "block"];

/** Makes a template with one of these tags an error as soon as it is parsed. */
export function refuseFileTags(liquid: Liquid): void {
  for (const name of refusedTags) {
    liquid.registerTag(name, {
      parse: () => {
        throw new Error(
          `the tag "${name}" works with other files, which templates here cannot use; write its text in this template`,
        );
      },
      render: () => {},
    });
  }
}

/** The names of the tags that a template can use. */
export function usableTags({ tags }: Liquid): readonly string[] {
  return Object.keys(tags).filter((name) => !refusedTags.includes(name));
}
