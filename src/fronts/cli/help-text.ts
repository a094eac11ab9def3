import type { Help } from "commander";

/** Wraps help to the width of the terminal: paragraphs, and descriptions behind a term such as ` backlot check `. */
export function wrapHelp(text: string, helper: Help): string {
  const { helpWidth = 80 } = helper;
  // Consecutive lines form a paragraph.
  const lines = text.replaceAll(/(?<=^\S.*)\n(?=\S)/gm, " ").split("\n");
  const wrapped = lines.flatMap((line) => {
    const [, term = "", words = line] = /^( {2}\S.*? {2,})(\S.*)$/.exec(line) ?? [];
    const hasRoom = term.length + helper.minWidthToWrap <= helpWidth;
    const margin = " ".repeat(hasRoom ? term.length : 6);
    const [first = "", ...rest] = helper.boxWrap(words, helpWidth - margin.length).split("\n");
    const start = hasRoom ? [term + first] : [term.trimEnd(), margin + first];
    return [...start, ...rest.map((more) => margin + more)];
  });
  return wrapped.join("\n");
}

/** Describes the argument that names fixtures. */
export const fixturesHelp: string =
  "fixture file, SQL dump, SQLite database or folder (default: ./fixtures, ./backlot, ./db.json, else the built-in set)";

/** The text after the options in the help. */
export const examples: string = `
The command line wins over the environment, and that over the fixtures' config (fixtures.schema.json has its
keys). In the environment, --port is BACKLOT_PORT and --no-auth is BACKLOT_NO_AUTH=1; only --token has another
name, AUTHORIZATION_TOKEN. An empty variable counts as unset; separate several values by commas.
On the command line, put fixtures before options that take several values.

Examples:
  backlot                               serve ./fixtures, or the built-in set
  backlot db.json --port 3000 --watch   serve a json-server file and follow its changes
  backlot app.sql                       serve what sqlite3 app.db .dump wrote
  backlot start ./check                 serve a folder that is named like a command
  backlot --token s3cret --api-key a b  require these keys
  backlot --log json --port 0           for programs: the first line has the address
  backlot check fixtures                check fixtures for mistakes
  backlot init                          write small fixtures to ./fixtures, and a test
  backlot init shop --example shop      write the built-in shop to ./shop
  backlot init --worker public          small fixtures, and the service workers' scripts
  backlot generate users --rows 1000    add invented rows to a table
  backlot exec -- npx vitest run        run tests with a server of their own
  backlot export --out state.json       save the state of a running server
  backlot verify --against <url>        show where a real service differs from the fixtures

Exit codes: 0 done, 1 a problem with fixtures or the port, 2 wrong usage, 70 a bug.
`;
