import {
  BlobValue,
  ExactInteger,
  type Value,
  WholeReal,
  copyJson,
} from "../../core/store/value.ts";
import { hexadecimal } from "./column-codec.ts";

/** A value that its column's type does not have. */
interface ExactCell {
  /** What the column has in its place. Where it has something else by now, another program has written that, and it counts. */
  readonly shown: string;
  readonly is: SaidValue;
}

type SaidValue =
  | { readonly integer: string }
  | { readonly real: string }
  | { readonly blob: string }
  | { readonly json: unknown };

/** The values of a row that its columns' types do not have, by column. */
export class ExactCells {
  readonly #cells: Map<string, ExactCell>;

  constructor(cells: Iterable<readonly [string, ExactCell]> = []) {
    this.#cells = new Map(cells);
  }

  /** Reads the text that `toText` made. Throws on any other. */
  static read(text: string | null): ExactCells {
    if (text === null) return none;
    const said: Readonly<Record<string, ExactCell>> = JSON.parse(text);
    // What another program wrote there need not be what was meant: all of it is looked at now.
    for (const { is } of Object.values(said)) readValue(is);
    return new ExactCells(Object.entries(said));
  }

  /** Notes a value, in place of which its column shows something else. */
  set(column: string, value: Value, shown: string): void {
    this.#cells.set(column, { shown, is: sayValue(value) });
  }

  /** The value of a column that shows this text. Undefined: it is what it shows. */
  valueOf(column: string, shown: string | null): Value | undefined {
    const cell = this.#cells.get(column);
    return cell === undefined || cell.shown !== shown ? undefined : readValue(cell.is);
  }

  /** As JSON, which says any character. Null: there are none. */
  toText(): string | null {
    return this.#cells.size === 0 ? null : JSON.stringify(Object.fromEntries(this.#cells));
  }
}

const none: ExactCells = new ExactCells();

function sayValue(value: Value): SaidValue {
  if (value instanceof ExactInteger) return { integer: String(value.value) };
  if (value instanceof WholeReal) return { real: String(value.value) };
  if (value instanceof BlobValue) return { blob: hexadecimal(value.bytes) };
  const isInfinite = typeof value === "number" && !Number.isFinite(value);
  return isInfinite ? { real: String(value) } : { json: value };
}

function readValue(said: SaidValue): Value {
  if ("integer" in said) return new ExactInteger(BigInt(said.integer));
  if ("blob" in said) return new BlobValue(Uint8Array.from(Buffer.from(said.blob, "hex")));
  if ("real" in said) {
    const real = Number(said.real);
    return Number.isFinite(real) ? new WholeReal(real) : real;
  }
  return copyJson(said.json) ?? null;
}
