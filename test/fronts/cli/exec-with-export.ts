/** A table of one row, to which the command adds another. */
export const notes = { notes: [{ id: 1, text: "first" }] };

/** Adds a note, says so, and ends with a code, or never. */
export const addNote = (end: string): string => `
  const { BACKLOT_URL, AUTHORIZATION_TOKEN } = process.env;
  await fetch(BACKLOT_URL + "/rest/notes", {
    method: "POST",
    headers: { authorization: "Bearer " + AUTHORIZATION_TOKEN, "content-type": "application/json" },
    body: JSON.stringify({ text: "second" }),
  });
  ${end}
`;

/** The arguments of `exec` for that command, in a file `command.mjs`, with an export at its end. */
export const execWithExport = (file: string, ...more: readonly string[]): readonly string[] => [
  "exec",
  "--export-on-exit",
  file,
  ...more,
  "--",
  process.execPath,
  "command.mjs",
];
