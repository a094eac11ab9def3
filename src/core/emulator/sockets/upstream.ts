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
  /** Which calls go there: all of them, or those that nothing in the fixtures answers. */
  readonly asked: "always" | "on-miss";
  /**
   * The service's answer, streamed as it arrives. An unreachable service is a 502 in the interface's envelope;
   * undefined: there is no service for this interface.
   */
  readonly answer: (call: UpstreamCall) => Promise<Reply | undefined>;
}
