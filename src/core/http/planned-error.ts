import type { ReplyHeaders } from "./reply.ts";

/** An error that was planned for a request, before it is put in the form that its interface has. */
export interface PlannedError {
  readonly status: number;
  readonly message: string;
  readonly headers: ReplyHeaders;
}
