/** Describes the argument that names fixtures. */
export const fixturesHelp: string =
  "fixture file, SQL dump, SQLite database or folder (default: ./fixtures, ./backlot, ./db.json, else the built-in set)";

/** What follows the options in the help. */
export const examples: string = `
Every option is looked for on the command line, then in the environment, then in the fixtures' config
(what has a key there; its keys are in fixtures.schema.json).
--token is AUTHORIZATION_TOKEN there, every other one is named like BACKLOT_PORT and BACKLOT_NO_AUTH=1.
An empty variable counts as unset; several values are separated by commas. Name fixtures before options
that take several values.

Examples:
  backlot                               serve ./fixtures, or the built-in set
  backlot db.json --port 3000 --watch   serve a json-server file and follow its changes
  backlot app.sql                       serve what sqlite3 app.db .dump wrote
  backlot start ./check                 serve a folder that is named like a command
  backlot --token s3cret --api-key a b  other keys
  backlot --log json --port 0           for programs: the first line says where it listens
  backlot check fixtures                validate
  backlot init                          starter fixtures in ./fixtures, and a test
  backlot init --worker public          and the service workers' scripts for browsers
  backlot generate users --rows 1000    add invented rows to a table
  backlot exec -- npx vitest run        run tests against a server of their own
  backlot export state.json             write the state of a running server
  backlot verify --against <url>        show where a real service differs from the fixtures

Exit codes: 0 done, 1 a problem with fixtures or the port, 2 wrong usage, 70 a bug.
`;
