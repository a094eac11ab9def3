import { removeFault } from "../../emulator/faults/planned-faults.ts";
import { addFault } from "../../emulator/faults/read-fault-rule.ts";
import { faultRuleSchema, plannedFaultSchema } from "../../fixture-set/format/fault-format.ts";
import { jsonReply } from "../../http/reply.ts";
import { listOf, objectOf } from "../../schema/openapi.ts";
import { objectBody, withBody, type ControlRoute, done } from "../read-call.ts";

const ruleBody = objectBody((refer) => faultRuleSchema.json(refer), {
  interface: "chat",
  times: 2,
  status: 429,
  retryAfterMs: 500,
});

/** The planned faults. */
export const faultRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    id: "listFaults",
    summary: "Lists the planned faults in the order in which Backlot tries them",
    description: "A fault whose `times` are used up is not listed.",
    success: {
      description: "The faults.",
      schema: (refer) => objectOf({ faults: listOf(plannedFaultSchema.json(refer)) }),
    },
    answer: (_, { session }) => jsonReply(200, { faults: session.state.faults.list() }),
  },
  {
    method: "POST",
    path: "/faults",
    id: "addFault",
    summary: "Plans a fault for later requests, after the existing ones",
    description:
      "Backlot tries the faults in order. The first one that matches acts, unless its `every` or `probability` skips it. No fault acts on preflights, on the control API, and on requests with the header `x-backlot-faults: none`.",
    body: ruleBody,
    success: {
      status: 201,
      description: "The fault, with the id that the journal shows.",
      schema: (refer) => plannedFaultSchema.json(refer),
    },
    mistake: "fault_refused",
    answer: (request, scene) =>
      withBody(request, ruleBody, (input) => jsonReply(201, addFault(scene.session, input))),
  },
  {
    method: "DELETE",
    path: "/faults",
    id: "clearFaults",
    summary: "Removes all planned faults",
    success: done,
    answer: (_, { session }) => session.state.faults.clear(),
  },
  {
    method: "DELETE",
    path: "/faults/{id}",
    id: "removeFault",
    summary: "Removes a planned fault",
    name: { name: "id", description: "The fault's id.", example: "fault 1" },
    success: done,
    mistake: "unknown_fault",
    answer: ({ name: id }, { session }) => removeFault(session, id),
  },
];
