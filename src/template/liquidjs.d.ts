// The few parts of liquidjs that the template room uses. The package's own types pull in those of Node, which
// portable rooms must not see; and its browser build runs everywhere, loads faster, and knows no file system.
declare module "liquidjs/dist/liquid.browser.mjs" {
  export interface ArgumentToken {
    readonly kind: number;
    /** The value of a literal. */
    readonly content?: unknown;
  }
  export interface FilterToken {
    readonly name: string;
    /** A pair for a named argument. */
    readonly args: readonly (ArgumentToken | [string, ArgumentToken | undefined])[];
  }
  export interface LiquidTemplate {
    readonly token: { readonly kind: number };
    /** What an output is made of. */
    readonly value?: {
      readonly initial: { readonly postfix: readonly ArgumentToken[] };
      readonly filters: readonly FilterToken[];
    };
  }
  /** What a filter is called on. */
  export interface FilterContext {
    readonly token: Pick<FilterToken, "args">;
  }
  export type Filter = (this: FilterContext, value: unknown, ...args: unknown[]) => unknown;
  export interface Variable {
    /** The path: names and places, and variables where they are computed. */
    readonly segments: readonly (string | number | Variable)[];
    readonly location: { readonly row: number; readonly col: number };
  }
  export class Liquid {
    constructor(options: Readonly<Record<string, unknown>>);
    readonly filters: Record<string, Filter>;
    readonly tags: Readonly<Record<string, unknown>>;
    parse(text: string): LiquidTemplate[];
    renderSync(template: LiquidTemplate[], scope: object): unknown;
    registerFilter(name: string, filter: Filter): void;
    registerTag(
      name: string,
      tag: { readonly parse: () => never; readonly render: () => void },
    ): void;
    analyzeSync(template: LiquidTemplate[]): {
      readonly globals: Readonly<Record<string, readonly Variable[]>>;
    };
  }
  export interface TokenKinds {
    readonly Output: number;
    readonly Quoted: number;
    readonly Number: number;
    readonly Literal: number;
  }
  export const TokenKind: TokenKinds;
}
