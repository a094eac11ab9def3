import type { Call } from "../http/call.ts";
import type { PlannedError, Reply } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import type { Condition } from "../store/operators.ts";
import type { Query } from "../store/query.ts";
import type { Table, WriteResult } from "../store/table.ts";
import type { GivenRow, Value } from "../store/value.ts";

/** What a profile makes its plan of. */
export interface TablesRequest {
  readonly call: Call;
  /** What follows `/rest`, still percent-encoded. */
  readonly path: string;
  readonly database: Database;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** The row that a write addresses: by the values of its primary key, or as the first that conditions find. */
export type RowTarget =
  | { readonly key: readonly Value[] }
  | { readonly where: readonly Condition[] };

/** What is done to a table. */
export type Change =
  | { readonly kind: "insert"; readonly row: GivenRow }
  | (RowChange & { readonly kind: "replace"; readonly row: GivenRow })
  | (RowChange & { readonly kind: "update"; readonly changes: GivenRow })
  | { readonly kind: "delete"; readonly target: RowTarget };

interface RowChange {
  readonly target: RowTarget;
  /** Whether a value that is sent as GET shows the stored one stands for that one. Default false. */
  readonly keepsShown?: boolean;
}

/** What a client asks for by its method. A profile decides which change that comes to. */
export type WriteOperation = "insert" | "replace" | "update" | "delete";

/** Rows are to be read. */
export interface ReadPlan {
  readonly kind: "read";
  readonly table: Table;
  readonly query: Query;
}

/** A table is to be written to. */
export interface WritePlan {
  readonly kind: "write";
  readonly table: Table;
  /** The table's name as the client has it. */
  readonly name: string;
  readonly operation: WriteOperation;
  readonly change: Change;
  /** The body, parsed. */
  readonly sent: unknown;
}

/** What a request comes to. What needs no table, such as a refusal, is answered already. */
export type Plan = ReadPlan | WritePlan | { readonly kind: "answered"; readonly reply: Reply };

export function answered(reply: Reply): Plan {
  return { kind: "answered", reply };
}

/** What each stage of an answer does under a profile. */
export interface RestStages {
  /** With it preflights are answered, and replies are readable by pages of other origins. */
  readonly cors: { readonly methods: readonly string[] } | undefined;
  /** Refuses a call without the token, before anything else of it is looked at. Tokens of null: no call is. */
  readonly refuse: (call: Call, tokens: readonly string[] | null) => Reply | undefined;
  /** Finds out what a call asks for and what that means for its table, or refuses it. */
  readonly plan: (request: TablesRequest) => Promise<Plan>;
  /** Answers a write that was tried. */
  readonly respond: (plan: WritePlan, result: WriteResult) => Reply;
  /** Answers paths that no interface has, under a profile that does. */
  readonly answerElsewhere: ((path: string) => Reply) | undefined;
  /** Refuses, with this message, what nothing answers and nobody recorded. */
  readonly refuseUnrecorded: (message: string) => Reply;
  readonly faults: TableFaults;
}

/** What becomes of requests that were planned to fail. */
export interface TableFaults {
  /** Whether a path, as it is below `/rest`, is that of a table or of one of its rows. */
  readonly isOfTable: (path: string, table: string) => boolean;
  /** An error in the envelope of the service. */
  readonly answer: (error: PlannedError) => Reply;
}
