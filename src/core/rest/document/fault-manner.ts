import { jsonReply } from "../../http/reply.ts";
import type { FaultManner } from "../fault-manner.ts";
import { readTarget } from "./request.ts";

/** Planned errors as the documented service would answer them. Their code is none of its own: nobody asked it. */
export const faultManner: FaultManner = {
  isOfTable: (path, table) => {
    const target = readTarget(path);
    return target.ok && target.value.table === table;
  },
  answer: ({ status, message, headers }) =>
    jsonReply(status, { error: message, code: "planned_fault" }, headers),
};
