import { emptyReply, jsonReply } from "../../http/reply.ts";
import { filterJournal, journalParameters } from "../journal-filter.ts";
import { journalSchema } from "../openapi/components.ts";
import type { Route } from "../route.ts";

/** The journal. */
export const requestRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/requests",
    id: "listRequests",
    summary: "Lists what was asked and answered, oldest first",
    query: journalParameters,
    success: {
      status: 200,
      description: "The requests. Keys and tokens in their headers are redacted.",
      schema: () => journalSchema,
    },
    errors: ["invalid_parameter"],
    answer: ({ query }, { journal }) => {
      const requests = filterJournal(journal.list(), query);
      return requests.ok ? jsonReply(200, { requests: requests.value }) : requests.reply;
    },
  },
  {
    method: "DELETE",
    path: "/requests",
    id: "clearRequests",
    summary: "Empties the journal",
    success: { status: 204, description: "It is done." },
    errors: [],
    answer: (_, { journal }) => {
      journal.clear();
      return emptyReply(204);
    },
  },
];
