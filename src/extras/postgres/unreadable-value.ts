/** What another program made of a table cannot be read as the table was declared. */
export class UnreadableValue extends Error {}

/** What stands somewhere that no row of the table can have there. */
export function unreadableValue(place: {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}): UnreadableValue {
  const { table, column, row } = place;
  return new UnreadableValue(
    `a value cannot be read: table "${table}", column "${column}", in the row of id ${row}. ` +
      "Another program wrote it. Correct it there, or delete the row.",
  );
}

/** A table that is not any more as it was made. */
export function alteredTable(difference: string): UnreadableValue {
  return new UnreadableValue(
    `a table there was altered: ${difference}. Alter it back, or drop the schema and restart Backlot.`,
  );
}
