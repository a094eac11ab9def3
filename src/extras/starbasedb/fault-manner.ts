import { jsonReply } from "../../core/http/reply.ts";
import type { TableFaults } from "../../core/rest/plan.ts";
import { sameName } from "./columns.ts";
import { readPath } from "./path.ts";

/** Planned errors in the service's envelope. A table is named in any case, as in all that the service takes. */
export const faultManner: TableFaults = {
  isOfTable: (path, table) => {
    const target = readPath(path);
    return target !== undefined && sameName(target.name, table);
  },
  answer: ({ status, message, headers }) => jsonReply(status, { error: message }, headers),
};
