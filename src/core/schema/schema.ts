import type { JsonPath } from "../fixture-set/json/json-path.ts";

/**
 * What values of one kind are: how they are checked, and the same as JSON Schema for editors.
 *
 * Why not a library: valibot, the smallest that was tried, took 11 ms of each start, a quarter of all that a start may
 * take, and its objects, records and unions had to be replaced for messages that help.
 */
export interface Schema<Value> {
  /** Reports what is wrong with a value. Values have come from JSON, or were copied as JSON. */
  readonly check: (value: unknown, run: SchemaRun) => void;
  readonly json: (refer: Refer) => JsonSchema;
  /** Never there. It carries the type of the values that fit. */
  readonly fits?: Value;
}

/** The type of the values that fit a schema. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

/** What a schema reports to while it checks a value. */
export interface SchemaRun {
  /** Reports a problem with the value, or with a key of it. The message is complete. */
  readonly refuse: (message: string, key?: string) => void;
  /** Reports that the value must be `what` ("a text", "an object"). Without the value, what it is instead is not shown. */
  readonly mustBe: (what: string, value?: unknown) => void;
  /** Reports that the value must not be empty. */
  readonly mustNotBeEmpty: () => void;
  /** Checks a part of the value. */
  readonly checkPart: (schema: Schema<unknown>, part: unknown, key: JsonPath[number]) => void;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Gives a part's JSON Schema, or a reference to it where it stands elsewhere. */
export type Refer = (schema: Schema<unknown>) => JsonSchema;
