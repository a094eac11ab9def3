import { jsonReply } from "../../http/reply.ts";
import type { Route } from "../route.ts";

/** Whether the emulator is there. */
export const healthRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/health",
    id: "getHealth",
    summary: "Tells that the emulator is there",
    description: "It answers anyone and never asks for a key.",
    open: true,
    cors: true,
    success: {
      status: 200,
      description: "It is there.",
      schema: () => ({
        type: "object",
        properties: { status: { const: "ok" } },
        required: ["status"],
      }),
    },
    errors: [],
    answer: () => jsonReply(200, { status: "ok" }),
  },
];
