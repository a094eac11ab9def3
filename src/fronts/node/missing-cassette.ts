import type { Upstream } from "../../core/emulator/sockets/upstream.ts";
import { ownReply } from "../../core/emulator/own-replies.ts";
import { asMiss } from "../../core/http/reply.ts";
import type { NamedCassette } from "../../core/recordings/cassette.ts";
import type { UpstreamOptions } from "./upstream/recording-upstream.ts";

/** The recordings of a test that runs without the service. */
interface ReplayedTape extends Pick<Upstream, "asked"> {
  /** The services that a recording would ask. */
  readonly services: UpstreamOptions["services"];
  /** The name of the cassette file in messages. */
  readonly shown: string;
  /** Undefined: the file does not exist. */
  readonly cassettes: readonly NamedCassette[] | undefined;
  /** How to record the cassette, such as `BACKLOT_RECORD=new`. */
  readonly how: string;
}

/** Stands in for the service of a test that only replays. */
export interface MissingCassette extends Upstream {
  /** The message of the first refusal. Undefined: no request was refused. */
  readonly firstRefusal: () => string | undefined;
}

/** Refuses the requests to an interface without recordings. The message names the file that should have them. */
export function missingCassette({
  asked,
  services,
  shown,
  cassettes,
  how,
}: ReplayedTape): MissingCassette {
  let firstRefusal: string | undefined;
  return {
    asked,
    answer: (request) => {
      const { call, path, interface: of } = request;
      // If there are recordings, the closest one explains more.
      const hasRecordings = cassettes?.some((one) => one.interface === of.name) === true;
      if (hasRecordings || services[of.name] === undefined) return Promise.resolve(undefined);
      const lack = cassettes === undefined ? "does not exist" : `has no recordings of ${of.name}`;
      const message =
        `Cannot answer ${call.method} ${path}: this request is not recorded, because the cassette ${shown} ${lack}. ` +
        `Record it with ${how} where the service can be asked, and commit it.`;
      firstRefusal ??= message;
      return Promise.resolve(asMiss(ownReply(of, { status: 404, code: "not_recorded", message })));
    },
    firstRefusal: () => firstRefusal,
  };
}
