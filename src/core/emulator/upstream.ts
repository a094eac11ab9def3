import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";

/** A call as a real service is to be asked it. */
export interface UpstreamCall {
  readonly call: Call;
  readonly interface: "rest" | "chat";
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
}

/** A real service behind the emulator. */
export interface Upstream {
  /** Which calls go there: all of them, or those that nothing in the fixtures answers. */
  readonly asked: "always" | "on-miss";
  /**
   * The service's answer, as it comes. A service that cannot be reached is a 502 in the interface's envelope; undefined:
   * there is no service for this interface.
   */
  readonly answer: (asked: UpstreamCall) => Promise<Reply | undefined>;
}
