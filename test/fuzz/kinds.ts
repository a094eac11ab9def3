import { type Fuzzer, fuzzerOf } from "./fuzz-run.ts";
import { cassettes } from "./kinds/cassettes.ts";
import { chatBodies } from "./kinds/chat-bodies.ts";
import { controlCalls } from "./kinds/control-calls.ts";
import { fixtureFiles } from "./kinds/fixture-files.ts";
import { queryStrings } from "./kinds/query-strings.ts";
import { rawHttp } from "./kinds/raw-http.ts";
import { tableWrites } from "./kinds/table-writes.ts";
import { sqlDumps } from "./kinds/sql-dumps.ts";

/** All kinds of inputs, each with a file of its own. */
export const fuzzers: readonly Fuzzer[] = [
  fuzzerOf(rawHttp),
  fuzzerOf(queryStrings),
  fuzzerOf(tableWrites),
  fuzzerOf(chatBodies),
  fuzzerOf(controlCalls),
  fuzzerOf(fixtureFiles),
  fuzzerOf(sqlDumps),
  fuzzerOf(cassettes),
];
