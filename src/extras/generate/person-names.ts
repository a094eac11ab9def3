import type { JsonRow } from "../../core/store/value.ts";
import type { JsonValue } from "../../core/schema/json.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { textFakes } from "./column-fakes.ts";
import { namesOf } from "./name-words.ts";

/** A person's names as faker's methods take them. */
export interface PersonNames {
  readonly firstName?: string;
  readonly lastName?: string;
}

/**
 * Finds the name of the person that a row is about, among the columns that were filled in before: so that an address
 * and a user name fit it.
 */
export function personNames({ name, columns }: TableSchema): (row: JsonRow) => PersonNames {
  const columnOf = (path: string): string | undefined =>
    columns.find((column) => {
      const known = namesOf(column.name, name).find((one) => textFakes.has(one));
      return known !== undefined && textFakes.get(known)?.[0] === path;
    })?.name;
  const [first, last] = [columnOf("person.firstName"), columnOf("person.lastName")];
  const full = columnOf("person.fullName");
  return (row) => {
    const words = wordsOf(valueOf(row, full));
    return namesIn({
      firstName: valueOf(row, first) ?? words[0],
      lastName: valueOf(row, last) ?? (words.length > 1 ? words.at(-1) : undefined),
    });
  };
}

function valueOf(row: JsonRow, column: string | undefined): string | undefined {
  const value: JsonValue | undefined = column === undefined ? undefined : row[column];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Without titles such as `Dr.` and what comes after a name, such as `Jr.` and `PhD`. */
function wordsOf(name: string | undefined): readonly string[] {
  const words = name?.split(" ") ?? [];
  return words.filter((word) => !word.endsWith(".") && !/^(?:[A-Z]{2,}|[IV]+|PhD)$/.test(word));
}

function namesIn(names: Readonly<Record<keyof PersonNames, string | undefined>>): PersonNames {
  const { firstName, lastName } = names;
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
  };
}
