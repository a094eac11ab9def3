// The few parts of liquidjs that the template room uses. The package's own types pull in those of Node, which
// portable rooms must not see; and its browser build runs everywhere, loads faster, and knows no file system.
declare module "liquidjs/dist/liquid.browser.mjs" {
  export interface LiquidTemplate {
    readonly token: { readonly kind: number };
  }
  /** What a filter is called on. `args` holds a pair for a named argument. */
  export interface FilterContext {
    readonly token: { readonly args: readonly unknown[] };
  }
  export type Filter = (this: FilterContext, value: unknown, ...args: unknown[]) => unknown;
  export interface Variable {
    readonly location: { readonly row: number; readonly col: number };
  }
  export class Liquid {
    constructor(options: Readonly<Record<string, unknown>>);
    readonly filters: Record<string, Filter>;
    readonly tags: Readonly<Record<string, unknown>>;
    parse(text: string): LiquidTemplate[];
    render(template: LiquidTemplate[], scope: object): Promise<unknown>;
    registerFilter(name: string, filter: Filter): void;
    analyzeSync(template: LiquidTemplate[]): {
      readonly globals: Readonly<Record<string, readonly Variable[]>>;
    };
  }
  export const TokenKind: { readonly Output: number };
}
