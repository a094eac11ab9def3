/**
 * The Vite plugin's modules for pages. A page's project references it: `/// <reference types="backlot/vite/client"
 * />`.
 */
declare module "virtual:backlot" {
  /** The types of the fixtures. The file named by the plugin's option `types` fills it in. */
  interface Register {}

  type Fixtures = Register extends { readonly fixtures: infer Known }
    ? Known
    : Readonly<Record<string, unknown>>;

  /** The complete fixture document, with generated rows and tables of SQL dumps. Empty in mode `off`. */
  export const fixtures: Fixtures;

  /**
   * Starts answering the page's requests; call it before the first of them. In the modes `msw` and `worker` it
   * resolves when requests are answered; in the others it does nothing.
   */
  export function start(): Promise<
    | import("backlot/browser").BrowserEmulator<import("backlot").TablesOf<Fixtures>>
    | import("backlot/worker").WorkerEmulator<Fixtures>
    | undefined
  >;

  /** Calls the listener whenever the fixtures change while the page is open. Returns a function that stops this. */
  export function onUpdate(listener: () => void): () => void;
}
