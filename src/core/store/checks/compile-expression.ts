import { type Affinity, affinity } from "../column-kinds.ts";
import type { Collation, Column } from "../schema.ts";
import type { StorageRules } from "../storage-rules.ts";
import type { Row } from "../value.ts";
import { type BinaryOperator, type Expression, ExpressionProblem } from "./expression.ts";
import { sqlFunctions } from "./functions.ts";
import {
  asNumber,
  castTo,
  compareScalars,
  integerOf,
  isInteger,
  numberOf,
  type Scalar,
  scalarOf,
  textOf,
  truthOf,
  truthScalar,
} from "./scalar.ts";

/** An expression that is ready to be evaluated for rows. */
interface Compiled {
  readonly run: (row: Row) => Scalar;
  /** The affinity that a comparison applies to the other side. Undefined: none. */
  readonly affinity: Affinity | undefined;
  /** The collation that compares the expression's texts. Undefined: the collation of the other side. */
  readonly collation: Collation | undefined;
  /** Whether the expression itself names the collation. */
  readonly isCollated: boolean;
}

/** Compiles an expression for rows that are stored by these rules. Throws an `ExpressionProblem`. */
export function compileExpression(
  expression: Expression,
  columns: readonly Column[],
  storage: StorageRules,
): (row: Row) => Scalar {
  return new Compiler(columns, storage).compile(expression).run;
}

/** A computed value, which has neither affinity nor collation. */
function made(run: Compiled["run"]): Compiled {
  return { run, affinity: undefined, collation: undefined, isCollated: false };
}

class Compiler {
  readonly #columns: readonly Column[];
  readonly #storage: StorageRules;

  constructor(columns: readonly Column[], storage: StorageRules) {
    this.#columns = columns;
    this.#storage = storage;
  }

  compile(expression: Expression): Compiled {
    switch (expression.kind) {
      case "literal": {
        const { value } = expression;
        return made(() => value);
      }
      case "column":
        return this.#column(expression.name);
      case "unary":
        return this.#unary(expression);
      case "binary":
        return this.#binary(expression);
      case "in":
        return this.#in(expression);
      case "between": {
        const { operand, low, high } = expression;
        const [own, least, most] = [operand, low, high].map((part) => this.compile(part));
        if (own === undefined || least === undefined || most === undefined) return made(() => null);
        const isFrom = comparison(own, least, (sign) => sign >= 0);
        const isTo = comparison(own, most, (sign) => sign <= 0);
        return made((row) => truthScalar(both(truthOf(isFrom(row)), truthOf(isTo(row)))));
      }
      case "truth": {
        const { run } = this.compile(expression.operand);
        const { wanted } = expression;
        return made((row) => truthScalar(truthOf(run(row)) === wanted));
      }
      case "call":
        return this.#call(expression.name, expression.given);
      case "cast": {
        const operand = this.compile(expression.operand);
        const { to } = expression;
        return { ...operand, run: (row) => castTo(operand.run(row), to), affinity: to };
      }
      case "case":
        return this.#case(expression);
      case "collate":
        return {
          ...this.compile(expression.operand),
          collation: expression.collation,
          isCollated: true,
        };
    }
  }

  #column(name: string): Compiled {
    const column = this.#columns.find((one) => one.name === name);
    if (column === undefined) throw new ExpressionProblem(`the column "${name}"`);
    const kind = this.#storage.kindOf(column.type);
    return {
      run: (row) => scalarOf(row[name] ?? null, kind),
      affinity: affinity(column.type),
      collation: column.collate,
      isCollated: false,
    };
  }

  #unary({ operator, operand }: Extract<Expression, { readonly kind: "unary" }>): Compiled {
    const compiled = this.compile(operand);
    const { run } = compiled;
    switch (operator) {
      case "+":
        return { ...compiled, affinity: undefined };
      case "not":
        return made((row) => {
          const truth = truthOf(run(row));
          return truthScalar(truth === null ? null : !truth);
        });
      case "~":
        return made((row) => {
          const value = run(row);
          return value === null ? null : ~integerOf(value);
        });
      case "-":
        return made((row) => arithmetic["-"](0n, run(row)));
    }
  }

  #binary({ operator, ...sides }: Extract<Expression, { readonly kind: "binary" }>): Compiled {
    const left = this.compile(sides.left);
    const right = this.compile(sides.right);
    if (isComparison(operator)) return made(comparison(left, right, comparisons[operator]));
    if (operator === "is" || operator === "is not") {
      const isSame = sameness(left, right);
      return made((row) => truthScalar(isSame(row) === (operator === "is")));
    }
    if (operator === "and") {
      return made((row) => truthScalar(both(truthOf(left.run(row)), truthOf(right.run(row)))));
    }
    if (operator === "or") {
      return made((row) => truthScalar(either(truthOf(left.run(row)), truthOf(right.run(row)))));
    }
    const calculate = arithmetic[operator];
    return made((row) => calculate(left.run(row), right.run(row)));
  }

  /** SQLite's IN ignores the affinities and collations of the list's items. */
  #in({ operand, list }: Extract<Expression, { readonly kind: "in" }>): Compiled {
    const own = this.compile(operand);
    const tests = list.map((item) =>
      comparison(own, made(this.compile(item).run), comparisons["="]),
    );
    return made((row) => {
      const found = tests.map((test) => truthOf(test(row)));
      return truthScalar(found.reduce<boolean | null>(either, false));
    });
  }

  #call(name: string, given: readonly Expression[]): Compiled {
    const called = Object.hasOwn(sqlFunctions, name) ? sqlFunctions[name] : undefined;
    if (called === undefined) throw new ExpressionProblem(`the function ${name}()`);
    const { least, most = least, takesNull = false, run } = called;
    if (given.length < least || given.length > most) {
      throw new ExpressionProblem(`${name}() with ${given.length} arguments`);
    }
    const parts = given.map((part) => this.compile(part));
    const collation = parts.find((part) => part.collation !== undefined)?.collation ?? "BINARY";
    const compare = (left: Scalar, right: Scalar): number =>
      left === null || right === null ? 0 : compareScalars(left, right, collation);
    return made((row) => {
      const values = parts.map((part) => part.run(row));
      return !takesNull && values.includes(null) ? null : run(values, compare);
    });
  }

  #case({ operand, cases, otherwise }: Extract<Expression, { readonly kind: "case" }>): Compiled {
    const own = operand === undefined ? undefined : this.compile(operand);
    const steps = cases.map(({ when, result }) => {
      const condition = this.compile(when);
      const test = own === undefined ? condition.run : comparison(own, condition, comparisons["="]);
      return { test, result: this.compile(result).run };
    });
    const last = this.compile(otherwise).run;
    return made((row) => {
      const step = steps.find(({ test }) => truthOf(test(row)) === true);
      return (step?.result ?? last)(row);
    });
  }
}

type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

const comparisons: Readonly<Record<Comparison, (sign: number) => boolean>> = {
  "=": (sign) => sign === 0,
  "<>": (sign) => sign !== 0,
  "<": (sign) => sign < 0,
  "<=": (sign) => sign <= 0,
  ">": (sign) => sign > 0,
  ">=": (sign) => sign >= 0,
};

function isComparison(operator: BinaryOperator): operator is Comparison {
  return Object.hasOwn(comparisons, operator);
}

/** Compares two sides as SQLite does. NULL if one of them is NULL. */
function comparison(
  left: Compiled,
  right: Compiled,
  holds: (sign: number) => boolean,
): (row: Row) => Scalar {
  const signOf = comparer(left, right);
  return (row) => {
    const sign = signOf(row);
    return sign === null ? null : truthScalar(holds(sign));
  };
}

/** Whether both sides are equal, where NULL equals NULL. */
function sameness(left: Compiled, right: Compiled): (row: Row) => boolean {
  const signOf = comparer(left, right);
  return (row) => {
    const sign = signOf(row);
    return sign === null ? left.run(row) === null && right.run(row) === null : sign === 0;
  };
}

function comparer(left: Compiled, right: Compiled): (row: Row) => number | null {
  const convert = conversion(left.affinity, right.affinity);
  const named = [left, right].find(({ isCollated }) => isCollated);
  const collation = named?.collation ?? left.collation ?? right.collation ?? "BINARY";
  return (row) => {
    const one = convert(left.run(row));
    const other = convert(right.run(row));
    return one === null || other === null ? null : compareScalars(one, other, collation);
  };
}

/** The conversion of both sides before they are compared. */
function conversion(
  left: Affinity | undefined,
  right: Affinity | undefined,
): (value: Scalar) => Scalar {
  const sole = left ?? right;
  const isNumeric = [left, right].some(
    (one) => one === "INTEGER" || one === "REAL" || one === "NUMERIC",
  );
  if (isNumeric) return asNumber;
  const isText = sole === "TEXT" && (left === undefined || right === undefined);
  return isText ? asText : asItIs;
}

function asText(value: Scalar): Scalar {
  return typeof value === "number" || typeof value === "bigint" ? textOf(value) : value;
}

function asItIs(value: Scalar): Scalar {
  return value;
}

function both(left: boolean | null, right: boolean | null): boolean | null {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}

function either(left: boolean | null, right: boolean | null): boolean | null {
  if (left === true || right === true) return true;
  return left === null || right === null ? null : false;
}

type Arithmetic = Exclude<BinaryOperator, Comparison | "and" | "or" | "is" | "is not">;

const arithmetic: Readonly<Record<Arithmetic, (left: Scalar, right: Scalar) => Scalar>> = {
  "+": calculated(
    (left, right) => left + right,
    (left, right) => left + right,
  ),
  "-": calculated(
    (left, right) => left - right,
    (left, right) => left - right,
  ),
  "*": calculated(
    (left, right) => left * right,
    (left, right) => left * right,
  ),
  "/": calculated(
    (left, right) => (right === 0n ? null : left / right),
    (left, right) => (right === 0 ? null : left / right),
  ),
  "%": remainder,
  "||": (left, right) => (left === null || right === null ? null : textOf(left) + textOf(right)),
  "&": onIntegers((left, right) => left & right),
  "|": onIntegers((left, right) => left | right),
  "<<": onIntegers(shifted),
  ">>": onIntegers((left, right) => shifted(left, -right)),
};

/** Arithmetic on integers gives an integer, unless the result has more than 64 bits. */
function calculated(
  whole: (left: bigint, right: bigint) => bigint | null,
  real: (left: number, right: number) => number | null,
): (left: Scalar, right: Scalar) => Scalar {
  return (left, right) => {
    if (left === null || right === null) return null;
    const [one, other] = [numberOf(left), numberOf(right)];
    const isWhole = typeof one === "bigint" && typeof other === "bigint";
    const exact = isWhole ? whole(one, other) : undefined;
    if (exact === null || (exact !== undefined && isInteger(exact))) return exact;
    const result = real(Number(one), Number(other));
    return result === null || Number.isNaN(result) ? null : result;
  };
}

function remainder(left: Scalar, right: Scalar): Scalar {
  if (left === null || right === null) return null;
  const divisor = integerOf(right);
  if (divisor === 0n) return null;
  const result = integerOf(left) % divisor;
  const isReal = [left, right].some((side) => typeof numberOf(side) === "number");
  return isReal ? Number(result) : result;
}

function onIntegers(
  calculate: (left: bigint, right: bigint) => bigint,
): (left: Scalar, right: Scalar) => Scalar {
  return (left, right) =>
    left === null || right === null ? null : calculate(integerOf(left), integerOf(right));
}

function shifted(value: bigint, by: bigint): bigint {
  if (by >= 64n) return 0n;
  if (by <= -64n) return value < 0n ? -1n : 0n;
  return by >= 0n ? BigInt.asIntN(64, value << by) : value >> -by;
}
