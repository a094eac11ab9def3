import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Reply } from "../http/reply.ts";
import { showText } from "../errors/show.ts";
import type { ControlCall } from "../emulator/extras.ts";
import { refuse } from "./errors.ts";

/**
 * Refuses a call that may come from a web page, by a form or DNS rebinding, or from another machine. Nothing else of
 * the call is looked at before this.
 */
export function refuseStranger({
  call: { headers },
  inProcess,
  peerAddress,
  setup,
}: ControlCall): Reply | undefined {
  const { controlToken: token } = setup.settings;
  if (inProcess) return undefined;
  const host = headers["host"] ?? "";
  const origin = headers["origin"];
  if (origin !== undefined && !isOwnOrigin(origin, host)) return foreignOrigin(origin);
  if (token !== undefined) {
    const key = bearerKey(headers["authorization"]);
    return key !== undefined && isAcceptedKey(key, [token]) ? undefined : wrongToken();
  }
  // A program may name any host: only a browser tells the one that it asked.
  if (peerAddress !== undefined && !isLoopbackAddress(peerAddress)) return foreignPeer(peerAddress);
  return isLoopbackHost(host) ? undefined : foreignHost(host);
}

/** Whether a page of the server itself makes the call. A proxy may have taken care of `https`. */
function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase();
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
}

function foreignOrigin(origin: string): Reply {
  return refuse("foreign_origin", {
    message:
      `Cannot answer a page of another origin: the Origin is ${showText(origin)}. ` +
      "Call the control API from a program, or from a page of this server.",
  });
}

function foreignPeer(address: string): Reply {
  const shown = address === "" ? "not known any more" : address;
  return refuse("foreign_peer", {
    message:
      `Cannot answer a caller from beyond this machine: its address is ${shown}. ` +
      "Start with a control token, and send it.",
  });
}

function foreignHost(host: string): Reply {
  const shown = host === "" ? "missing" : showText(host);
  return refuse("foreign_host", {
    message:
      `Cannot answer a caller from beyond this machine: the Host is ${shown}. ` +
      "Use localhost or 127.0.0.1, or start with a control token.",
  });
}

function wrongToken(): Reply {
  return refuse("wrong_token", {
    message:
      "Cannot answer without the control token: it is missing or wrong. " +
      'Send "Authorization: Bearer <control token>".',
  });
}

const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const label = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";
const loopback = new RegExp(
  `^(?:(?:${label}\\.)*localhost|127(?:\\.${byte}){3}|\\[::1\\])(?::\\d{1,5})?$`,
  "i",
);

const loopbackAddress = new RegExp(`^(?:::1|(?:::ffff:)?127(?:\\.${byte}){3})$`, "i");

/** Whether a connection comes from this machine, by the address of its other end: IPv4, IPv6, or the one in the other. */
export function isLoopbackAddress(address: string): boolean {
  return loopbackAddress.test(address);
}

/**
 * Whether a Host header names this machine: `localhost`, a name below it, 127.0.0.0/8 or `[::1]`, with any port.
 * A page cannot make such a name lead to another machine's server, nor have its own name accepted.
 */
export function isLoopbackHost(host: string): boolean {
  // Names have at most 253 characters.
  return host.length < 300 && loopback.test(host);
}
