import { didYouMean } from "../errors/nearest-name.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import type { Condition } from "../store/filter.ts";
import { showText } from "../store/json-value.ts";
import type { Query } from "../store/query.ts";
import type { Row } from "../store/row.ts";
import type { TableSchema } from "../store/schema.ts";
import type { Table } from "../store/table.ts";
import { accepted, type Failure, listNames, type Outcome, refused } from "./errors.ts";
import { type Operation, readOperation } from "./methods.ts";
import {
  keyConditions,
  planRead,
  planReplace,
  planUpdate,
  refuseQuery,
  type WritePlan,
} from "./plan.ts";
import { type Parameter, type PathKey, readRowBody, readTarget, type Target } from "./request.ts";
import { failureReply, writtenReply } from "./respond.ts";

/** Which behaviour of the service is reproduced: what each stage does where behaviours differ. */
export interface RestProfile {
  readonly name: "document";
  /** Whether preflights are answered and replies are readable by pages of other origins. */
  readonly cors: boolean;
  readonly readTarget: (path: string) => Outcome<Target>;
  readonly findTable: (database: Database, name: string) => Outcome<Table>;
  readonly readOperation: (
    method: string,
    target: Target,
    primaryKey: readonly string[],
  ) => Outcome<Operation>;
  readonly planRead: (
    schema: TableSchema,
    key: PathKey | undefined,
    parameters: readonly Parameter[],
  ) => Outcome<Query>;
  /** What is wrong with the query of a write. */
  readonly refuseQuery: (parameters: readonly Parameter[]) => Failure | undefined;
  readonly keyConditions: (schema: TableSchema, key: PathKey) => Outcome<readonly Condition[]>;
  readonly readRowBody: (call: Call) => Promise<Outcome<Row>>;
  readonly planReplace: PlanChange;
  readonly planUpdate: PlanChange;
  readonly writtenReply: (kind: WritePlan["kind"], row: Row) => Reply;
  readonly failureReply: (failure: Failure) => Reply;
}

type PlanChange = (
  schema: TableSchema,
  where: readonly Condition[],
  row: Row,
) => Outcome<WritePlan>;

/** A table by its exact name. */
function findTable(database: Database, name: string): Outcome<Table> {
  const table = database.table(name);
  if (table !== undefined) return accepted(table);
  const names = database.names();
  return refused({
    code: "unknown_table",
    message: `There is no table ${showText(name)}.${didYouMean(name, names)}`,
    hint: listNames("Tables", names),
  });
}

const documentProfile: RestProfile = {
  name: "document",
  cors: true,
  readTarget,
  findTable,
  readOperation,
  planRead,
  refuseQuery,
  keyConditions,
  readRowBody,
  planReplace,
  planUpdate,
  writtenReply,
  failureReply,
};

/** The profiles by name. */
export const restProfiles: ReadonlyMap<string, RestProfile> = new Map([
  [documentProfile.name, documentProfile],
]);
