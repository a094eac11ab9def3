import { didYouMean } from "../../errors/nearest-name.ts";
import { faultRuleSchema, plannedFaultSchema } from "../../fixture-set/format/fault-format.ts";
import { isObject, type JsonObject } from "../../schema/json.ts";
import type { Schema } from "../../schema/schema.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import { addFault } from "../../emulator/faults/read-fault-rule.ts";
import { refuse } from "../errors.ts";
import { withBody } from "../read-call.ts";
import type { Body, ControlRoute } from "../route.ts";

/** Only that it is an object: the reader of rules says the rest, and knows the tables. */
const rule: Schema<JsonObject> = {
  check: (value, run) => {
    if (!isObject(value)) run.mustBe("an object", value);
  },
  json: (refer) => faultRuleSchema.json(refer),
};

const ruleBody: Body<JsonObject> = {
  schema: rule,
  whenMissing: undefined,
  example: { interface: "chat", times: 2, status: 429, retryAfterMs: 500 },
};

/** What is planned to go wrong. */
export const faultRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    id: "listFaults",
    summary: "Lists the planned faults in the order in which they are tried",
    description: "Those that acted as often as they should are gone.",
    success: {
      status: 200,
      description: "The faults.",
      schema: (refer) => ({
        type: "object",
        properties: { faults: { type: "array", items: plannedFaultSchema.json(refer) } },
        required: ["faults"],
      }),
    },
    errors: [],
    answer: (_, { session }) => jsonReply(200, { faults: session.state.faults.list() }),
  },
  {
    method: "POST",
    path: "/faults",
    id: "addFault",
    summary: "Plans a fault of requests to come, behind those that are planned",
    description:
      "Of several that match a request the first acts whose chance falls. Preflights and the control API are never hit.",
    body: ruleBody,
    success: {
      status: 201,
      description: "The fault with its id, which the journal names.",
      schema: (refer) => plannedFaultSchema.json(refer),
    },
    mistake: "fault_refused",
    errors: [],
    answer: ({ call }, scene) =>
      withBody(call, ruleBody, (input) => jsonReply(201, addFault(scene.session, input))),
  },
  {
    method: "DELETE",
    path: "/faults",
    id: "clearFaults",
    summary: "Takes all planned faults out",
    success: { status: 204, description: "It is done." },
    errors: [],
    answer: (_, { session }) => {
      session.state.faults.clear();
      return emptyReply(204);
    },
  },
  {
    method: "DELETE",
    path: "/faults/{id}",
    id: "removeFault",
    summary: "Takes a planned fault out",
    name: {
      name: "id",
      description: "The fault's id, such as `fault 1`.",
      schema: { type: "string" },
    },
    success: { status: 204, description: "It is done." },
    errors: ["unknown_fault"],
    answer: ({ name: id }, { session }) => {
      const { faults } = session.state;
      if (faults.remove(id)) return emptyReply(204);
      const ids = faults.list().map((planned) => planned.id);
      return refuse("unknown_fault", {
        message: `Cannot remove the fault ${showText(id)}: there is none of that id.${didYouMean(id, ids)}`,
      });
    },
  },
];
