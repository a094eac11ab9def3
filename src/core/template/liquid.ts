// Types for the few parts of liquidjs that the template room uses, which liquidjs.d.ts assigns to its browser build.
// They are here since that file is for our compiler alone, and exports must not need it.

/** A part of an expression. */
export interface ArgumentToken {
  readonly kind: number;
  /** The value of a literal. */
  readonly content?: unknown;
}

/** A filter with its arguments. */
export interface FilterToken {
  readonly name: string;
  /** A pair for a named argument. */
  readonly args: readonly (ArgumentToken | [string, ArgumentToken | undefined])[];
}

/** A text, an output or a tag. */
export interface LiquidTemplate {
  readonly token: { readonly kind: number };
  /** The parts of an output. */
  readonly value?: {
    readonly initial: { readonly postfix: readonly ArgumentToken[] };
    readonly filters: readonly FilterToken[];
  };
}

/** The `this` of a filter. */
export interface FilterContext {
  readonly token: Pick<FilterToken, "args">;
}

export type Filter = (this: FilterContext, value: unknown, ...args: unknown[]) => unknown;

interface Variable {
  /** The path: names and indexes, and variables where they are computed. */
  readonly segments: readonly (string | number | Variable)[];
  readonly location: { readonly row: number; readonly col: number };
}

/** What parses and renders. */
export interface Liquid {
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
