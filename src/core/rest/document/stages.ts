import { didYouMean } from "../../errors/nearest-name.ts";
import { showText } from "../../errors/show.ts";
import { type Reply, emptyReply, jsonReply } from "../../http/reply.ts";
import { readParameters } from "../parameters.ts";
import type { RestStages, TablesRequest } from "../stages.ts";
import { selectReply } from "../rows-reply.ts";
import { type RestFailure, listNames, restErrorStatuses } from "./errors.ts";
import { planRead } from "./query-parameters.ts";
import { allMethods, methodsOf, readOperation, readTarget } from "./request.ts";
import { refusal, refuseWithoutToken, respond } from "./respond.ts";
import { writeRow } from "./write.ts";

/** The documented interface. */
export const documentStages: RestStages = {
  cors: { methods: allMethods },
  refuse: refuseWithoutToken,
  answer,
  answerElsewhere: undefined,
  refuseUnrecorded: (message) =>
    jsonReply(restErrorStatuses.not_recorded, { error: message, code: "not_recorded" }),
  faults: {
    isOfTable: (path, table) => {
      const target = readTarget(path);
      return target.ok && target.value.table === table;
    },
    // The code is none of the service's own: nobody asked it.
    answer: ({ status, message, headers }) =>
      jsonReply(status, { error: message, code: "planned_fault" }, headers),
  },
};

async function answer({ call, path, database }: TablesRequest): Promise<Reply> {
  const { method } = call;
  const target = readTarget(path);
  if (!target.ok) return refusal(method, target.error);
  const { table: name, key } = target.value;
  const table = database.table(name);
  if (table === undefined) return refusal(method, unknownTable(name, database.names()));
  const operation = readOperation(method, target.value, table.schema.primaryKey);
  if (!operation.ok) return refusal(method, operation.error);
  switch (operation.value) {
    case "options":
      return emptyReply(204, { allow: methodsOf(target.value).join(", ") });
    case "read": {
      const query = planRead(table.schema, key, readParameters(call.query));
      return query.ok ? selectReply(method, table, query.value) : refusal(method, query.error);
    }
    default: {
      const row = { target: target.value, table };
      const result = await writeRow(call, operation.value, row);
      if (!result.ok) return refusal(method, result.error);
      return respond(operation.value, table.schema, result.value);
    }
  }
}

function unknownTable(name: string, names: readonly string[]): RestFailure {
  return {
    code: "unknown_table",
    message: `There is no table ${showText(name)}.${didYouMean(name, names)}`,
    hint: listNames("Tables", names),
  };
}
