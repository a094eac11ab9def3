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
  /** Where it has an `enum`, other values are refused. */
  readonly schema: JsonSchema & { readonly enum?: readonly string[] };
}

/** What a request's body is. */
export interface Body<Value = unknown> {
  readonly schema: Schema<Value>;
  /** What a request without a body means. Undefined: it is refused. */
  readonly whenMissing: Value | undefined;
  readonly example: unknown;
}

/** What a route answers when all is well. */
export interface Success {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Of the body. Undefined: there is none. */
  readonly schema?: (refer: Refer) => JsonSchema;
  /** Of the body. Default: `application/json`. */
  readonly contentType?: string;
}

/** What a route answers that has nothing to say. */
export const done: Success = { status: 204, description: "It is done." };

/** A call at the path of a route. */
export interface ControlRequest {
  readonly call: Call;
  /** The decoded value of the path's `{…}`; empty where it has none. */
  readonly name: string;
  /** The query's parameters: only those that the route has, each at most once. */
  readonly query: ReadonlyMap<string, string>;
  /** Every route there is. */
  readonly routes: readonly ControlRoute[];
}

/** What a route works with: an emulator, as it is seen in one session. */
export interface ControlScene extends Pick<ControlCall, "console" | "sessionId"> {
  readonly setup: Setup;
  /** Begun only when a route asks for it: a refused caller must not evict another session. */
  readonly session: Session;
  readonly timers: Timers;
}

/** An operation of the control API. Routing, the OpenAPI document and the table in the README are made of these. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/__backlot`. One segment may be a parameter, as in `/tables/{name}`. */
  readonly path: string;
  /** Its name in the OpenAPI document. */
  readonly id: string;
  /** What it does, in half a sentence. */
  readonly summary: string;
  /** More of it, in whole sentences. */
  readonly description?: string;
  /** Whether anyone is answered, from wherever. */
  readonly open?: true;
  /** Whether pages of other origins may read it, unless CORS is off. */
  readonly cors?: true;
  /** What the segment in braces is. */
  readonly name?: Parameter;
  readonly query?: readonly Parameter[];
  /** Whether it reads or writes tables: those that several processes share are brought up to date before. */
  readonly needsTables?: true;
  readonly body?: Body;
  readonly success: Success;
  /** What a mistake is called that the emulator finds in what it is given, and throws as an EmulatorError. */
  readonly mistake?: ControlErrorCode;
  /** Why it may refuse what it is asked besides that, and besides what is the same for all routes. */
  readonly errors?: readonly ControlErrorCode[];
  readonly answer: (request: ControlRequest, scene: ControlScene) => Reply | Promise<Reply>;
}
