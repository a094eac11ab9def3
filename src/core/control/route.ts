import type { Play } from "../steps/steps.ts";
import type { JsonSchema, Refer, Schema } from "../schema/schema.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { ControlCall } from "../emulator/extras.ts";
import type { Session } from "../emulator/session.ts";
import type { Setup } from "../emulator/setup.ts";
import type { Timers } from "../http/scheduler.ts";
import type { ControlErrorCode } from "./errors.ts";

/** A value in the path or the query, as the document describes it. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** If it has an `enum`, other values are refused. Default: any text. */
  readonly schema?: JsonSchema & { readonly enum?: readonly string[] };
}

/** The body of a request. */
export interface Body<Value = unknown> {
  readonly schema: Schema<Value>;
  /** The meaning of a missing body. Undefined: it is refused. */
  readonly whenMissing: Value | undefined;
  readonly example: unknown;
}

/** The successful answer of a route. */
export interface Success {
  /** Default: 200. */
  readonly status?: 201 | 204;
  readonly description: string;
  /** The schema of the body. Undefined: there is none. */
  readonly schema?: (refer: Refer) => JsonSchema;
  /** The type of the body. Default: `application/json`. */
  readonly contentType?: string;
}

/** The success of a route without a result, whose `answer` returns nothing. */
export const done: Success = { status: 204, description: "Done." };

/** A call at the path of a route. */
export interface ControlRequest {
  readonly call: Call;
  /** The decoded value in place of the path's `{…}`; empty if it has none. */
  readonly name: string;
  /** The query's parameters: known ones only, each at most once. */
  readonly query: ReadonlyMap<string, string>;
  /** Every route. */
  readonly routes: readonly ControlRoute[];
  /** Does in turns what may take long, and ends it when the client has gone. */
  readonly play: Play;
}

/** What a route works with: an emulator, as seen in one session. */
export interface ControlScene extends Pick<
  ControlCall,
  "console" | "folder" | "sessionId" | "metrics"
> {
  readonly setup: Setup;
  /** Begun only when a route asks for it: a refused caller must not evict another session. */
  readonly session: Session;
  readonly timers: Timers;
}

/** An operation of the control API. Routing, the OpenAPI document and the reference page are made from these. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below `/__backlot`. One segment may be a parameter, as in `/tables/{name}`. */
  readonly path: string;
  /** Its name in the OpenAPI document. */
  readonly id: string;
  /** A summary in half a sentence. */
  readonly summary: string;
  /** Details, in whole sentences. */
  readonly description?: string;
  /** Whether it answers any caller, from anywhere. */
  readonly open?: true;
  /** Whether pages of other origins may read it, unless CORS is off. */
  readonly cors?: true;
  /** The segment in braces. */
  readonly name?: Parameter;
  readonly query?: readonly Parameter[];
  /** Whether it reads or writes tables. Shared tables are updated before. */
  readonly needsTables?: true;
  readonly body?: Body;
  readonly success: Success;
  /** The code of a mistake that the emulator reports as an EmulatorError. */
  readonly mistake?: ControlErrorCode;
  /** Its own reasons to refuse, besides that and the common ones. */
  readonly errors?: readonly ControlErrorCode[];
  readonly answer: (request: ControlRequest, scene: ControlScene) => RouteAnswer;
}

/** The reply of a route. Nothing: it is done, and has no result. */
export type RouteAnswer = Reply | void | Promise<Reply | void>;
