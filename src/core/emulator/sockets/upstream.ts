import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/reply.ts";
import type { Interface } from "../../interface.ts";

/** A call to a real service. */
export interface UpstreamCall {
  readonly call: Call;
  readonly interface: Interface;
  /** The path below the interface's mount point, still percent-encoded. */
  readonly path: string;
}

/** A real service behind the emulator. */
export interface Upstream {
  /** Which calls go to the service: all of them, or those that nothing in the fixtures answers. */
  readonly asked: "always" | "on-miss";
  /**
   * The service's answer, streamed as it arrives. If the service cannot be reached, it is a 502 in the interface's
   * error format; undefined if no service is set for this interface.
   */
  readonly answer: (call: UpstreamCall) => Promise<Reply | undefined>;
}
