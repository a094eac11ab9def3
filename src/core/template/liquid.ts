// The few parts of liquidjs that the template room uses, which liquidjs.d.ts says its browser build has. Here, and not
// there: that file is for our compiler alone, and what is exported must not need it.

/** A piece of an expression. */
export interface ArgumentToken {
  readonly kind: number;
  /** The value of a literal. */
  readonly content?: unknown;
}

/** A filter with what it is given. */
export interface FilterToken {
  readonly name: string;
  /** A pair for a named argument. */
  readonly args: readonly (ArgumentToken | [string, ArgumentToken | undefined])[];
}

/** A text, an output or a tag. */
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

interface Variable {
  /** The path: names and places, and variables where they are computed. */
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
