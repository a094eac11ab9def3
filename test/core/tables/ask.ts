import type { Reply } from "../../../src/core/http/reply.ts";
import { answerTables, type TablesContext } from "../../../src/core/tables/answer-tables.ts";
import { documentAnswers } from "../../../src/core/tables/document/answer.ts";
import { starbasedbAnswers } from "../../../src/extras/starbasedb/answer.ts";
import type { Database } from "../../../src/core/store/database.ts";
import { call, type CallOptions } from "../../support/calls.ts";

/** A context that asks for no token and does without CORS. */
export function openContext(database: Database): TablesContext {
  const keys = { tokens: null, chatKeys: [] };
  return { database, answers: documentAnswers, ...keys, cors: false, now: () => 0, warn: () => {} };
}

/** The same, of the observed service. */
export function starbasedbContext(database: Database): TablesContext {
  return { ...openContext(database), answers: starbasedbAnswers };
}

/** The body of a reply as JSON, or undefined where there is none. */
export function jsonOf({ body }: Reply): unknown {
  return body.kind === "text" ? JSON.parse(body.text) : undefined;
}

/** Asks the tables; `target` is what follows `/rest`. */
export async function ask(
  database: Database,
  request: string,
  options?: CallOptions,
  context: (database: Database) => TablesContext = openContext,
): Promise<{ status: number; body: unknown; reply: Reply }> {
  const [method = "", target = ""] = request.split(" ");
  const made = call(method, `/rest${target}`, options);
  const reply = await answerTables(made, made.path.slice("/rest".length), context(database));
  return { status: reply.status, body: jsonOf(reply), reply };
}
