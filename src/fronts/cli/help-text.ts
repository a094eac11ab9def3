/** Describes the argument that names fixtures. */
export const fixturesHelp: string =
  "fixture file, SQL dump or folder (default: ./fixtures, ./backlot, ./db.json, else the built-in set)";

/** What follows the options in the help of `generate`. */
export const generateHelp: string = `
Columns with a template in the table's "generate" are made by it, references point at rows that are there,
unique values are unique, keys go on after the greatest. All else goes by the column's name and type.

Examples:
  backlot generate users -n 1000             after the rows of fixtures/tables/users.json
  backlot generate users -n 1000 --replace   in their place
  backlot generate orders shop --seed 7      a table of the fixtures in ./shop
  backlot generate users --out - | jq .      touch no file
`;

/** How `exec` is called. */
export const execUsage: string = "[fixtures] [options] -- <command> [args...]";

/** What follows the options in the help of `exec`. */
export const execHelp: string = `
The command finds the server by these variables; all else but BACKLOT_EXPORT_ON_EXIT is kept:
  OPENAI_BASE_URL       the base URL of chat, for SDKs
  OPENAI_API_KEY        a key that chat accepts
  BACKLOT_URL           the server; the tables are at /rest below it
  AUTHORIZATION_TOKEN   the token of the tables

It runs without a shell, with this terminal's input and output, and gets the signals. Its exit code is ours;
127: there is no such command, 126: it cannot be run, 128 + n: signal n ended it.

Examples:
  backlot exec -- npx vitest run              tests, against ./fixtures or the built-in set
  backlot exec shop --seed 7 -- npm test      against the fixtures in ./shop
  backlot exec --export-on-exit after.json -- npm test   what the tests left behind
  backlot exec --log pretty -- python app.py  requests are shown on stderr
  backlot exec -- sh -c 'echo $BACKLOT_URL'   variables need a shell
`;

/** What follows the options in the help of `export`. */
export const exportHelp: string = `
It has models, tables and scripts, and under "state" counters and next ids; no keys and no journal.
PUT /__backlot/state makes it the state again; backlot start serves it as fixtures.

Examples:
  backlot export state.json                    what is served at http://127.0.0.1:4010 now
  backlot export --session test-7 | jq .tables
  backlot export --url http://127.0.0.1:3000 --control-token s3cret state.json
`;

/** What follows the options in the help of `verify`. */
export const verifyHelp: string = `
Each request is sent to the service and to an emulator of the fixtures. Status, the headers that clients act
upon, types and keys of JSON, and kinds and order of streamed events are compared; of values those that the
config names under "recording": {"stable": ["body.model"]}. Only GET, HEAD and completions are sent, one at a
time; --writes sends the rest. Keys go into headers and nowhere else.

Examples:
  backlot verify --against https://api.example.com/v1          the cassettes, or the contract of chat
  backlot verify shop --rest-against https://db.example.com/rest --only contract
  backlot verify --against http://127.0.0.1:8080/v1 --format junit --out verify.xml

Exit codes: 0 no drift, 1 drift or nothing to compare, 2 wrong usage.
`;

/** What follows the options in the help of `record`. */
export const recordHelp: string = `
Point your code at http://127.0.0.1:4010/v1 (and /rest) in place of the service, with the service's own key.
Each conversation and each table becomes a file, which is written anew. Keys are left out; what else must not
be written says "recording" in the config.json beside the folder: {"redact": [{"path": ..., "as": ...}]}.

Examples:
  backlot record --upstream https://api.example.com/v1
  backlot record -u https://api.example.com/v1 --rest-upstream https://db.example.com/rest -o shop/cassettes
  backlot record -u https://api.example.com/v1 --as scripts --out shop   scripts in place of recordings
  backlot start --record https://api.example.com/v1   only what the fixtures have no answer for
`;

/** What follows the options in the help. */
export const examples: string = `
Every option is looked for on the command line, then in the environment, then in the fixtures' config
(what has a key there; its keys are in fixtures.schema.json).
--token is AUTHORIZATION_TOKEN there, every other one is named like BACKLOT_PORT and BACKLOT_NO_AUTH=1.
An empty variable counts as unset; several values are separated by commas. Name fixtures before options
that take several values.

Examples:
  backlot                               serve ./fixtures, or the built-in set
  backlot db.json --port 3000 --watch   serve a json-server file, and follow its changes
  backlot app.sql                       serve what sqlite3 app.db .dump wrote
  backlot start ./check                 serve a folder that is named like a command
  backlot --token s3cret --api-key a b  other keys
  backlot --log json --port 0           for programs: the first line says where it listens
  backlot check fixtures                validate
  backlot init                          starter fixtures in ./fixtures
  backlot init --worker public          and the service workers' scripts for browsers
  backlot generate users --rows 1000    add made-up rows to a table
  backlot exec -- npx vitest run        run tests against a server of their own
  backlot export state.json             write what a running server has now
  backlot verify --against <url>        tell where a real service differs from the fixtures

Exit codes: 0 done, 1 a problem with fixtures or the port, 2 wrong usage, 70 a bug.
`;
