/** What the Vite plugin gives to pages. A page's project names it: `/// <reference types="backlot/vite/client" />`. */
declare module "virtual:backlot" {
  /** What is known of the fixtures: the file that the plugin's option `types` names fills it in. */
  interface Register {}

  type Fixtures = Register extends { readonly fixtures: infer Known }
    ? Known
    : Readonly<Record<string, unknown>>;

  /** The fixture document, complete: rows that were generated and tables of SQL dumps are in it. Empty in mode `off`. */
  export const fixtures: Fixtures;

  /**
   * Has the page's requests answered; call it before the first of them. In the modes `msw` and `worker` it resolves once
   * they are, with what answers them; in the others there is nothing to do.
   */
  export function start(): Promise<
    | import("backlot/browser").BrowserEmulator<Fixtures>
    | import("backlot/worker").WorkerEmulator<Fixtures>
    | undefined
  >;

  /** Calls the listener whenever other fixtures were loaded while the page is open. Gives what ends that. */
  export function onUpdate(listener: () => void): () => void;
}
